import type { Environment } from '../context.ts';

/** The credentials that sign requests to AWS. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** The host name of an HTTP API in any AWS partition. The name contains the region. */
const inAws = /^[a-z0-9]+\.execute-api\.([a-z0-9-]+)\.amazonaws\.(?:com|com\.cn|eu)$/;

/** The path of an HTTP API in MiniStack and LocalStack: `/_aws/execute-api/API-ID/$default/api/...`. */
const inEmulator = /^\/_aws\/execute-api\/[^/]+\//;

/**
 * Creates a `fetch` that authenticates requests. If `MILEPOST_TOKEN` is set, every request contains its value, a JSON
 * Web Token from the API's issuer, as a bearer token. Otherwise, requests to API Gateway are signed with AWS
 * credentials.
 *
 * The region in the signature comes from the host name of the API or, for an emulator, from `AWS_REGION`.
 *
 * @param credentials returns AWS credentials; called only to sign a request.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-access-control-iam.html
 * @see https://docs.localstack.cloud/aws/services/apigateway
 */
export function authorizedFetch(
  fetch: typeof globalThis.fetch,
  environment: Environment,
  credentials: () => Promise<AwsCredentials>,
): typeof globalThis.fetch {
  const token = environment.MILEPOST_TOKEN;
  return async (input, init) => {
    const region = signingRegion(
      new URL(input instanceof Request ? input.url : input),
      environment,
    );
    if (!token && region === undefined) return fetch(input, init);
    const request = new Request(input, init);
    if (token) {
      request.headers.set('authorization', `Bearer ${token}`);
      return fetch(request);
    }
    const { AwsClient } = await import('aws4fetch');
    const client = new AwsClient({ ...(await credentials()), service: 'execute-api', region });
    // The signed request does not inherit the abort signal or the redirect mode of the original request.
    const { signal, redirect } = request;
    return fetch(await client.sign(request), { signal, redirect });
  };
}

/**
 * Returns the region for the signature of a request, or undefined if the URL belongs neither to API Gateway nor to an
 * emulator. A request to such a URL is not signed.
 */
function signingRegion({ hostname, pathname }: URL, environment: Environment): string | undefined {
  const [, region] = inAws.exec(hostname) ?? [];
  if (region !== undefined || !inEmulator.test(pathname)) return region;
  return environment.AWS_REGION || environment.AWS_DEFAULT_REGION || 'us-east-1';
}
