import { InvokeCommand, LambdaClient, type LambdaClientConfig } from '@aws-sdk/client-lambda';
import { messageOf } from '../common/message-of.ts';
import { MilepostError } from '../core/errors.ts';
import type { FunctionPort, FunctionResponse } from '../model-runtime/remote/function-port.ts';

/** A deployed function's name or ARN, and the URL of its Lambda endpoint if it is not in AWS. */
export interface DeployedFunction {
  readonly function: string;
  readonly endpoint?: string;
}

/** Matches the region in a function's ARN, such as `arn:aws:lambda:eu-central-1:123456789012:function:loans`. */
const arnRegion = /^arn:[\w-]+:lambda:([a-z0-9-]+):/;

/**
 * Connects to a deployed function. The region and the credentials come from the same places as in the AWS CLI. A
 * function at another endpoint does not need a region.
 *
 * @throws MilepostError `bad-request` if the region or the credentials are missing.
 */
export async function connectToFunction(
  { function: name, endpoint }: DeployedFunction,
  env: Readonly<Record<string, string | undefined>>,
): Promise<InvokePort> {
  const { config } = new LambdaClient(endpoint === undefined ? {} : { endpoint });
  const region =
    arnRegion.exec(name)?.[1] ??
    (await config.region().catch(() => env.AWS_DEFAULT_REGION)) ??
    (endpoint && 'us-east-1');
  if (!region)
    throw new MilepostError(
      'bad-request',
      "the region of the function is missing: set AWS_REGION, or specify the function's ARN",
    );
  try {
    await config.credentials();
  } catch (error) {
    throw new MilepostError(
      'bad-request',
      `${messageOf(error)}: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`,
      { cause: error },
    );
  }
  return new InvokePort(name, { region, ...(endpoint !== undefined && { endpoint }) });
}

/** A model function that is invoked through the Lambda API, in AWS or at another endpoint. */
export class InvokePort implements FunctionPort {
  readonly #client: LambdaClient;
  readonly #name: string;

  /** @param name the function's name or ARN. */
  constructor(name: string, config: LambdaClientConfig) {
    this.#client = new LambdaClient(config);
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
