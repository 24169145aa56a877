import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { messageOf } from '../common/message-of.ts';
import type { FunctionPort, FunctionResponse } from '../model-runtime/remote/function-port.ts';

/** A model function that is invoked through the Lambda API, in AWS or at another endpoint. */
export class InvokePort implements FunctionPort {
  readonly #client: LambdaClient;
  readonly #name: string;

  /** @param name the function's name or ARN. */
  constructor(name: string, endpoint?: string) {
    // The region and credentials come from the default provider chain, as for the AWS CLI.
    this.#client = new LambdaClient(endpoint === undefined ? {} : { endpoint });
    this.#name = name;
  }

  async invoke(question: string): Promise<FunctionResponse> {
    try {
      const { FunctionError, Payload } = await this.#client.send(
        new InvokeCommand({ FunctionName: this.#name, Payload: Buffer.from(question) }),
      );
      const text = Buffer.from(Payload ?? []).toString();
      if (FunctionError === undefined) return { kind: 'answered', text };
      const { errorType = '', errorMessage = text } = JSON.parse(text) as Record<string, string>;
      return { kind: 'failed', error: errorType, message: errorMessage };
    } catch (error) {
      return { kind: 'unavailable', reason: messageOf(error) };
    }
  }
}
