import { messageOf } from '../../common/message-of.ts';
import type { FunctionPort, FunctionResponse } from '../../model-runtime/remote/function-port.ts';
import type { Lambda } from '../client/lambda.ts';
import { isPermanentInvokeError, parseFunctionError } from './invoke-errors.ts';

/** Calls a model's function through the Lambda Invoke API. */
export class LambdaFunctionPort implements FunctionPort {
  readonly #client: Lambda;
  readonly #functionArn: string;

  constructor(client: Lambda, functionArn: string) {
    this.#client = client;
    this.#functionArn = functionArn;
  }

  async invoke(question: string): Promise<FunctionResponse> {
    try {
      const { payload, functionError } = await this.#client.invoke(this.#functionArn, question);
      if (!functionError) return { kind: 'answered', text: payload };
      const { errorType, errorMessage } = parseFunctionError(payload);
      return { kind: 'failed', error: errorType, message: errorMessage };
    } catch (error) {
      if (!isPermanentInvokeError(error)) return { kind: 'unavailable', reason: messageOf(error) };
      return { kind: 'failed', error: (error as Error).name, message: messageOf(error) };
    }
  }
}
