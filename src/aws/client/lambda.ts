import { ServiceClient, type ServiceOptions } from './transport/service-client.ts';

/** What a function answered. */
export interface InvokeResponse {
  /** JSON. */
  readonly payload: string;
  /** Set where the function failed; the payload tells how. */
  readonly functionError?: string;
}

/** What of Lambda is used. */
export interface Lambda {
  /**
   * Invokes a function, and waits for what it answers.
   *
   * @param payload JSON.
   * @throws ServiceError what Lambda said instead of running it.
   * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
   */
  invoke(functionArn: string, payload: string): Promise<InvokeResponse>;
}

/** Lambda. No answer is waited for longer than the function may take. */
export function lambda(options: ServiceOptions): Lambda {
  const client = new ServiceClient(options, { service: 'lambda', contentType: 'application/json' });
  return {
    async invoke(functionArn, payload) {
      const path = `/2015-03-31/functions/${encodeURIComponent(functionArn)}/invocations`;
      const { headers, body } = await client.call(path, {}, payload);
      const functionError = headers['x-amz-function-error'] as string | undefined;
      return { payload: body, functionError };
    },
  };
}
