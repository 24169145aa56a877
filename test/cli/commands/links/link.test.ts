import { describe, expect, it } from 'vitest';
import { run } from '../../run.ts';
import { service, startServicePerTest } from '../../service-per-test.ts';
import { problem } from '../../stub-service.ts';
import { timeless } from '../../timeless.ts';

startServicePerTest();

const link = {
  id: '0mjtfpfk0-dfd8744da9d81190',
  url: 'https://example.org/track/abc',
  token: 'abc',
  expiresAt: '2026-11-28T12:00:00.000Z',
};
const ask = (...more: string[]) =>
  run(['link', 'service-request', 'SR/1', '--api', service.url, ...more]);

describe('milepost link', () => {
  it('prints the link on standard output and its expiry time on standard error', async () => {
    service.script = () => ({ status: 201, body: JSON.stringify(link) });
    const { status, stdout, stderr } = await ask('--expires-in', 'P7D');
    expect([status, stdout]).toEqual([0, `${link.url}\n`]);
    expect(stderr).toMatch(/^expires 2026-11-28.*; id 0mjtfpfk0-dfd8744da9d81190\n$/);
    const [request] = service.received;
    expect(request).toMatchObject({ method: 'POST', url: '/api/links' });
    expect(JSON.parse(request!.body)).toEqual({
      model: 'service-request',
      transaction: 'SR/1',
      expiresIn: 'P7D',
    });
  });

  it.each(['7d', 'P1Y', 'P0D', 'PT0.5S', '-P1D', 'P367D', 'P1W1D', ''])(
    'rejects the lifetime %j as a usage error',
    async (text) => {
      const { status, stderr } = await ask('--expires-in', text);
      expect(status).toBe(2);
      expect(stderr).toContain('It must be an ISO 8601 duration from 1 second to 366 days');
      expect(service.received).toEqual([]);
    },
  );

  it("prints the API's JSON with --json", async () => {
    service.script = () => ({ status: 201, body: JSON.stringify(link) });
    expect(JSON.parse((await ask('--json')).stdout)).toEqual(link);
  });

  it('prints no link and exits with 1 if the link cannot be created', async () => {
    service.script = () => problem(404, 'there is no instance service-request/SR/1');
    expect(await ask()).toMatchObject({ status: 1, stdout: '' });
  });
});

const hoursFromNow = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const [createdAt, expiresAt] = [hoursFromNow(-49), hoursFromNow(6 * 24 - 1)];
const made = (...ids: string[]) => ids.map((id) => ({ id, createdAt, expiresAt }));
const of = (command: string, ...more: string[]) =>
  run([command, 'service-request', 'SR/1', '--api', service.url, ...more]);
const path = '/api/instances/service-request/SR%2F1/links';

describe('milepost links', () => {
  it('shows the id of each link with its creation and expiry times', async () => {
    service.data.links = { 'service-request/SR/1': made('b', 'a') };
    const { status, stdout } = await of('links');
    expect(status).toBe(0);
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "id  created                       expires
      b   YYYY-MM-DD hh:mm:ss (2d ago)  YYYY-MM-DD hh:mm:ss (in 5d)
      a   YYYY-MM-DD hh:mm:ss (2d ago)  YYYY-MM-DD hh:mm:ss (in 5d)
      "
    `);
    expect(service.received[0]).toMatchObject({ method: 'GET', url: path });
  });

  it('prints the requested number of links, all links, or nothing if there are none', async () => {
    expect(await of('links')).toMatchObject({ status: 0, stdout: '' });
    service.data.links = { 'service-request/SR/1': made('b', 'a') };
    expect((await of('links', '--limit', '1')).stderr).toBe(
      'There are more rows; use --all to show all.\n',
    );
    const { stdout } = await of('links', '--all', '--json');
    expect(JSON.parse(stdout)).toEqual({ links: made('b', 'a') });
  });
});

describe('milepost revoke', () => {
  it('revokes the given links and reports links that do not exist', async () => {
    service.data.links = { 'service-request/SR/1': made('c', 'b', 'a') };
    expect(await of('revoke', 'a', 'nobody', 'b')).toMatchObject({
      status: 1,
      stdout: 'revoked link a\nrevoked link b\n',
      stderr: 'error: the instance has no link nobody (404)\n',
    });
    expect(service.data.links['service-request/SR/1']).toEqual(made('c'));
    expect(await of('revoke', 'c', '--json')).toMatchObject({ status: 0, stdout: '' });
    const asked = service.received.map(({ method, url }) => [method, url]);
    expect(asked).toEqual(['a', 'nobody', 'b', 'c'].map((id) => ['DELETE', `${path}/${id}`]));
  });

  it('fails if the response does not come from Milepost', async () => {
    service.script = () => ({ status: 200, body: '<html></html>' });
    for (const more of [[], ['--json']])
      expect(await of('revoke', 'a', ...more)).toMatchObject({
        status: 1,
        stdout: '',
        stderr: `error: ${service.url} returned an unexpected response (content instead of none); is it Milepost?\n`,
      });
  });

  it('revokes all links and prints their number', async () => {
    service.data.links = { 'service-request/SR/1': made('b', 'a') };
    expect(await of('revoke', '--all')).toMatchObject({
      status: 0,
      stdout: 'revoked 2 links to the status page of service-request/SR/1\n',
    });
    expect(await of('revoke', '--all')).toMatchObject({
      status: 0,
      stdout: 'there are no links to the status page of service-request/SR/1\n',
    });
    expect((await of('revoke', '--all', '--json')).stdout).toBe('{"revoked":0}\n');
    expect(service.received[0]).toMatchObject({ method: 'DELETE', url: path });
  });

  it('stops when the service fails', async () => {
    service.script = () => problem(403, 'this takes the role operator');
    expect(await of('revoke', 'a', 'b')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'error: this takes the role operator (403)\n',
    });
    expect(service.received).toHaveLength(1);
  });
});
