import type { Environment } from '../context.ts';

/** Whose key signs what is sent to AWS. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** The host of an HTTP API in AWS, with its region. */
const inAws = /^[a-z0-9]+\.execute-api\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?$/;

/** The path of an HTTP API in MiniStack and LocalStack: `/_aws/execute-api/API-ID/$default/api/...`. */
const inEmulator = /^\/_aws\/execute-api\/[^/]+\//;

/**
 * A `fetch` that authenticates: with `MILEPOST_TOKEN` by that token (a JSON Web Token of the API's issuer), else to an
 * API Gateway by a signature of AWS credentials. Other services get neither.
 *
 * In AWS the host has the region to sign for; for an emulator it is `AWS_REGION`.
 *
 * @param credentials those of AWS; only asked for where something is to be signed.
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
    // What is signed is another request, and knows nothing of this one's end.
    return fetch(await client.sign(request), { signal: request.signal });
  };
}

/** The region of an API Gateway; undefined for any other service. */
function signingRegion({ hostname, pathname }: URL, environment: Environment): string | undefined {
  const [, region] = inAws.exec(hostname) ?? [];
  if (region !== undefined || !inEmulator.test(pathname)) return region;
  return environment.AWS_REGION || environment.AWS_DEFAULT_REGION || 'us-east-1';
}
