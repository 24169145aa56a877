import type { Environment } from './context.ts';

/** Whose key signs what is sent to AWS. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** An HTTP API of AWS under the name that AWS gave it. */
const inAws = /^[a-z0-9]+\.execute-api\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$/;

/**
 * A `fetch` that says who one is: with `MILEPOST_TOKEN` by that token (a JSON Web Token of the API's
 * issuer), else to an API Gateway by a signature of AWS credentials. To others it says nothing.
 *
 * @param credentials those of AWS; only asked for where something is to be signed.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-access-control-iam.html
 */
export function authorizedFetch(
  fetch: typeof globalThis.fetch,
  { MILEPOST_TOKEN: token }: Environment,
  credentials: () => Promise<AwsCredentials>,
): typeof globalThis.fetch {
  return async (input, init) => {
    const { hostname } = new URL(input instanceof Request ? input.url : input);
    const [, region] = inAws.exec(hostname) ?? [];
    if (!token && region === undefined) return fetch(input, init);
    const request = new Request(input, init);
    if (token) {
      request.headers.set('authorization', `Bearer ${token}`);
      return fetch(request);
    }
    const { AwsClient } = await import('aws4fetch');
    const client = new AwsClient({ ...(await credentials()), service: 'execute-api', region });
    // What is signed is another request, and knows nothing of this one's end.
    return fetch(await client.sign(request), { signal: request.signal });
  };
}
