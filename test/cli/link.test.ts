import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from './run.ts';
import { problem, StubService } from './stub-service.ts';

let service: StubService;
beforeEach(async () => {
  service = await new StubService().start();
});
afterEach(() => service.stop());

const link = {
  url: 'https://example.org/track/abc',
  token: 'abc',
  expiresAt: '2026-11-28T12:00:00.000Z',
};
const ask = (...more: string[]) =>
  run(['link', 'service-request', 'SR/1', '--api', service.url, ...more]);

describe('link', () => {
  it('prints the link alone, and beside it until when it is good', async () => {
    service.script = () => ({ status: 201, body: JSON.stringify(link) });
    const { status, stdout, stderr } = await ask('--expires-in', 'P7D');
    expect([status, stdout]).toEqual([0, `${link.url}\n`]);
    expect(stderr).toMatch(/^good until 2026-11-28/);
    const [request] = service.received;
    expect(request).toMatchObject({ method: 'POST', url: '/api/links' });
    expect(JSON.parse(request!.body)).toEqual({
      model: 'service-request',
      transaction: 'SR/1',
      expiresIn: 'P7D',
    });
  });

  it("prints the API's JSON", async () => {
    service.script = () => ({ status: 201, body: JSON.stringify(link) });
    expect(JSON.parse((await ask('--json')).stdout)).toEqual(link);
  });

  it('says why there is none', async () => {
    service.script = () => problem(404, 'there is no instance service-request/SR/1');
    expect(await ask()).toMatchObject({ status: 1, stdout: '' });
  });
});

describe('list --key', () => {
  it('asks for those that business calls so', async () => {
    await run(['list', '--key', 'customer:42', '--api', service.url]);
    expect(service.received[0]!.url).toBe('/api/instances?key=customer%3A42');
  });
});
