import { ServiceClient, type ServiceOptions } from './transport/service-client.ts';

export interface InvokeResponse {
  /** The JSON that the function returned. */
  readonly payload: string;
  /** The kind of failure, if the function failed; the payload then contains the error. */
  readonly functionError?: string;
}

/** The Lambda operations that Milepost uses. */
export interface Lambda {
  /**
   * Invokes a function and waits for its response.
   *
   * @param payload the function's input, as JSON.
   * @throws ServiceError if Lambda did not run the function; Error if Lambda could not be reached.
   * @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
   */
  invoke(functionArn: string, payload: string): Promise<InvokeResponse>;
}

/** Creates a Lambda client, which waits for a response as long as the function's own timeout allows. */
export function lambda(options: ServiceOptions): Lambda {
  const client = new ServiceClient(options, { service: 'lambda', contentType: 'application/json' });
  return {
    async invoke(functionArn, payload) {
      const path = `/2015-03-31/functions/${encodeURIComponent(functionArn)}/invocations`;
      const { headers, body } = await client.call(path, {}, payload);
      const functionError = headers['x-amz-function-error'];
      return { payload: body, functionError };
    },
  };
}
