import { describe, expect, it } from 'vitest';
import { authorizedFetch } from '../../../src/cli/client/authorized-fetch.ts';

const credentials = { accessKeyId: 'AKID', secretAccessKey: 'secret', sessionToken: 'session' };
const inAws = 'https://abc123.execute-api.eu-west-1.amazonaws.com/api/instances/m/a%2Fb?q=1';

/** Sends a request. Returns the request that the service receives. */
async function sent(
  url: string,
  init: RequestInit = {},
  {
    token,
    environment = {},
    keys = () => Promise.resolve(credentials),
  }: {
    token?: string;
    environment?: Parameters<typeof authorizedFetch>[1];
    keys?: () => Promise<typeof credentials>;
  } = {},
): Promise<Request> {
  let request = new Request('http://nobody');
  const arrive: typeof fetch = (input, more) => {
    request = new Request(input, more);
    return Promise.resolve(new Response());
  };
  await authorizedFetch(arrive, { MILEPOST_TOKEN: token, ...environment }, keys)(url, init);
  return request;
}

describe('authorizedFetch', () => {
  it.each([
    [{ AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'eu-west-2' }, 'eu-west-1'],
    [{ AWS_REGION: '', AWS_DEFAULT_REGION: 'eu-west-2' }, 'eu-west-2'],
    [{}, 'us-east-1'],
  ])(
    'with the variables %j signs requests to an API in an emulator for the region %s',
    async (environment, region) => {
      const url = 'http://127.0.0.1:4566/_aws/execute-api/abc123/$default/api/models';
      const request = await sent(url, {}, { environment });
      expect(request.url).toBe(url);
      expect(request.headers.get('authorization')).toContain(`/${region}/execute-api/`);
    },
  );

  it.each([
    ['us-gov-west-1', 'amazonaws.com'],
    ['cn-north-1', 'amazonaws.com.cn'],
    ['eusc-de-east-1', 'amazonaws.eu'],
  ])('signs requests to API Gateway in %s, where host names end in %s', async (region, suffix) => {
    const request = await sent(`https://abc123.execute-api.${region}.${suffix}/api/models`);
    expect(request.headers.get('authorization')).toContain(`/${region}/execute-api/`);
  });

  it('signs requests to API Gateway with the region in the host name', async () => {
    const request = await sent(inAws, { method: 'POST', body: '{"a":1}' });
    expect(request.headers.get('authorization')).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-west-1\/execute-api\/aws4_request, SignedHeaders=host;/,
    );
    expect(request.headers.get('x-amz-security-token')).toBe('session');
    expect(request.url).toBe(inAws);
    expect(request.method).toBe('POST');
    expect(await request.text()).toBe('{"a":1}');
  });

  it('sends the configured token instead of a signature', async () => {
    const keys = () => Promise.reject(new Error('credentials must not be requested'));
    const request = await sent(inAws, {}, { token: 'jwt', keys });
    expect(request.headers.get('authorization')).toBe('Bearer jwt');
  });

  it('sends no credentials to a service that is not in AWS', async () => {
    const keys = () => Promise.reject(new Error('credentials must not be requested'));
    for (const url of ['http://127.0.0.1:4500/api/models', 'https://execute-api.example.org/api'])
      expect((await sent(url, {}, { keys })).headers.get('authorization')).toBeNull();
  });

  it('passes on the abort signal', async () => {
    const ended = AbortSignal.abort(new Error('too late'));
    await expect(sent(inAws, { signal: ended })).resolves.toMatchObject({
      signal: { aborted: true },
    });
  });
});
