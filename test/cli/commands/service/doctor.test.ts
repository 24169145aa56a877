import { beforeEach, describe, expect, it } from 'vitest';
import { registryEntry } from '../../../support/models/registry-entry.ts';
import { registryRequest } from '../../../support/models/registry-request.ts';
import { MemoryApi } from '../../../support/service/memory-api.ts';
import { run } from '../../run.ts';

const url = 'http://127.0.0.1:4500';

let api: MemoryApi;
/** How far the service's clock is ahead of this machine's clock, in milliseconds. */
let ahead: number;
beforeEach(() => {
  api = new MemoryApi();
  ahead = 0;
});

/** Sends requests to the API and adds the `Date` header of a server. */
const fetchApi: typeof fetch = async (target, init) => {
  const { pathname, search } = new URL(target);
  const response = await api.app.request(pathname + search, init);
  response.headers.set('date', new Date(Date.now() + ahead).toUTCString());
  return response;
};

const doctor = (argv: readonly string[] = [], around: Parameters<typeof run>[1] = {}) =>
  run(['doctor', ...argv], { fetch: fetchApi, ...around });

const withoutDurations = (text: string) => text.replace(/in \d+ ms/, 'in N ms');

/** Disables the dispatcher's event source mapping. */
const disable = () =>
  api.installation.mappingsByUuid.set('dispatcher-uuid', {
    state: 'Disabled',
    lastProcessingResult: 'OK',
  });

/** A `fetch` that returns the given response, or throws the given error. */
const returning =
  (answer: Response | Error): typeof fetch =>
  () =>
    answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);

describe('milepost doctor', () => {
  it('prints a line for each check of a healthy service', async () => {
    const { status, stdout, stderr } = await doctor();
    expect(withoutDurations(stdout)).toMatchInlineSnapshot(`
      "Milepost 1.2.3 at http://127.0.0.1:4500

      ✔ api                  it responds in N ms
      ✔ time                 the clocks of this machine and the service agree
      ✔ version              the service and the CLI both have version 1.2.3
      ✔ stream               milepost-events is active: 4 shards, 7 days of retention
      ✔ dispatcher           it reads the stream; its latest batch succeeded
      ✔ lag                  no records are waiting; none arrived in the last 15 minutes
      ✔ notification-stream  milepost-events-notifications is active: 4 shards, 7 days of retention
      ✔ publisher            it reads the notification stream; its latest batch succeeded
      ✔ notification-lag     no records are waiting; none arrived in the last 15 minutes
      ✔ archiver             it reads new commits; its latest batch succeeded
      ✔ models               1 model, each with its newest code
      ✔ clock                no timer or deadline is pending
      ✔ parked               no instance has parked events
      ✔ dead-letters         there are no rejected records
      ✔ alarms               no alarm is raised (1 alarm checked)

      Nothing failed. 15 ok.
      "
    `);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('exits with 1 and prints the complete command that fixes a failed check', async () => {
    disable();
    const { status, stdout } = await doctor([], { columns: 60, env: { NO_COLOR: '1' } });
    expect(status).toBe(1);
    expect(stdout).toContain(
      '    aws lambda update-event-source-mapping --uuid dispatcher-uuid --enabled --region eu-west-1\n',
    );
    expect(stdout).toContain('Failed: dispatcher.');
  });

  it('wraps its findings to the width of the terminal', async () => {
    disable();
    const { stdout } = await doctor([], { columns: 60, env: { NO_COLOR: '1' } });
    const line = stdout.split('\n').findIndex((each) => each.includes('dispatcher  '));
    expect(stdout.split('\n').slice(line, line + 2)).toMatchInlineSnapshot(`
      [
        "✖ dispatcher           its event source mapping is disabled,",
        "                       so events wait on the stream",
      ]
    `);
  });

  it('exits with 0 if there are only warnings', async () => {
    api.installation.alarmsOfStack = [];
    const { status, stdout } = await doctor();
    expect(status).toBe(0);
    expect(stdout).toContain('! alarms               the stack has no alarms\n');
    expect(stdout).toContain('Nothing failed. 1 warning, 14 ok.\n');
  });

  it('exits with 0 and prints the reason if a check cannot be completed', async () => {
    api.installation.interfere = (operation) => {
      if (operation === 'DescribeAlarms') throw new Error('no answer');
    };
    const { status, stdout } = await doctor();
    expect(status).toBe(0);
    expect(stdout).toContain('? alarms               could not be checked: no answer\n');
    expect(stdout).toContain('Nothing failed. 1 unknown, 14 ok.\n');
  });

  it('prints the checks of the service and of the CLI as JSON with --json', async () => {
    disable();
    const { status, stdout } = await doctor(['--json']);
    const { version, checks } = JSON.parse(stdout) as {
      version: string;
      checks: { id: string; state: string; remedy: string | null }[];
    };
    expect({ status, version }).toEqual({ status: 1, version: '1.2.3' });
    expect(checks.map(({ id }) => id).slice(0, 4)).toEqual(['api', 'time', 'version', 'stream']);
    expect(checks.find(({ id }) => id === 'dispatcher')).toMatchObject({
      state: 'failed',
      remedy: expect.stringContaining('update-event-source-mapping'),
    });
    expect(checks.find(({ id }) => id === 'stream')).toMatchObject({ remedy: null });
  });

  it('repeats --api in the suggested commands', async () => {
    const version = {
      functionVersion: '2',
      version: 1,
      functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:counter:2',
      registeredAt: '2026-01-01T00:00:00.000Z',
    };
    await api.models.writer.keepVersion('counter', version, registryRequest());
    api.models.register(registryEntry('counter', { functionVersion: '1' }));
    expect((await doctor()).stdout).toContain('    milepost versions counter\n');
    expect((await doctor(['--api', 'http://10.0.0.1'])).stdout).toContain(
      '    milepost versions counter --api http://10.0.0.1\n',
    );
  });
});

describe('the lag in milepost doctor for the local service', () => {
  beforeEach(() => {
    api.installation.moveToOneMachine();
  });

  it('is taken from the response of the health check', async () => {
    const { stdout } = await doctor();
    expect(stdout).toContain('✔ lag                  no record has waited for more than a minute');
    expect(stdout).toContain('Alarms and metrics are checked only in AWS.\n');

    const detail = 'events on the stream are not being processed; see `stalledShards`';
    const stalled = Response.json({ status: 503, detail }, { status: 503 });
    const { status, stdout: found } = await doctor([], {
      fetch: (target, init) =>
        new URL(target).pathname === '/api/health'
          ? Promise.resolve(stalled)
          : fetchApi(target, init),
    });
    expect(status).toBe(1);
    expect(found).toContain('✖ lag                  events on the stream are not being processed');
  });

  it('is omitted while the stream is not read', async () => {
    disable();
    expect((await doctor()).stdout).not.toContain(' lag ');
  });
});

describe('clocks in milepost doctor', () => {
  it.each([
    [4_000, 0, '✔ time                 the clocks of this machine and the service agree'],
    [90_000, 0, /! time {17}this machine's clock is \d\d s behind the service's\n {4}timedatectl/],
    [-90_000, 0, /! time {17}this machine's clock is \d\d s ahead of the service's/],
    [400_000, 1, /✖ time .*; AWS rejects signatures whose time is off by more than 5 minutes/],
  ])('that differ by %i ms result in exit status %i', async (difference, wanted, line) => {
    ahead = difference;
    const { status, stdout } = await doctor();
    expect(status).toBe(wanted);
    expect(stdout).toMatch(line);
  });
});

describe('versions in milepost doctor', () => {
  it('are reported if they differ', async () => {
    const { status, stdout } = await doctor([], { version: '1.3.0' });
    expect(status).toBe(0);
    expect(stdout).toContain(
      '! version              the service has version 1.2.3, but the CLI has version 1.3.0\n',
    );
  });
});

describe('a service that milepost doctor cannot check', () => {
  const refused = Object.assign(new TypeError('fetch failed'), {
    cause: new Error('connect ECONNREFUSED 127.0.0.1:4500'),
  });
  const timeout = Object.assign(new Error('timeout'), { name: 'TimeoutError' });
  const noCredentials = Object.assign(new Error('Could not load credentials'), {
    name: 'CredentialsProviderError',
  });
  const remote = 'https://abc.execute-api.eu-west-1.amazonaws.com';
  const forbidden = () => Response.json({ message: 'Forbidden' }, { status: 403 });

  it.each([
    ['is down on this machine', url, refused, {}, 'connect ECONNREFUSED', 'milepost local'],
    [
      'does not respond',
      remote,
      timeout,
      {},
      'no response within 20 s',
      `curl --verbose ${remote}/api/health`,
    ],
    [
      'needs credentials',
      remote,
      noCredentials,
      {},
      'there are no AWS credentials',
      'aws configure',
    ],
    [
      'denies the AWS identity',
      remote,
      forbidden(),
      {},
      'grant execute-api:Invoke to your AWS identity',
      'aws sts get-caller-identity',
    ],
    [
      'denies the token',
      remote,
      forbidden(),
      { MILEPOST_TOKEN: 't' },
      'the token in MILEPOST_TOKEN',
      'unset MILEPOST_TOKEN',
    ],
    [
      'has an older version',
      remote,
      Response.json({ detail: 'none' }, { status: 404 }),
      {},
      'it is older than the CLI',
      'npx cdk deploy',
    ],
    [
      'fails',
      remote,
      Response.json({ detail: 'oops' }, { status: 500 }),
      {},
      'oops (500)',
      `curl --verbose ${remote}/api/health`,
    ],
    [
      'is not Milepost',
      remote,
      new Response('<html>'),
      {},
      'is it Milepost?',
      `curl --verbose ${remote}/api/health`,
    ],
  ])(
    'is reported with the reason if it %s',
    async (_what, address, answer, env, detail, remedy) => {
      const { status, stdout, stderr } = await doctor(['--api', address], {
        fetch: returning(answer),
        env,
      });
      expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
      expect(stdout).toContain(detail);
      expect(stdout.split('\n')).toContain(`    ${remedy}`);
      expect(stdout).toMatch(/Failed: api\.\n$/);
    },
  );

  it("is reported with the reason if this machine's clock is wrong", async () => {
    const date = new Date(Date.now() + 600_000).toUTCString();
    const fetch = returning(
      Response.json({ message: 'Signature expired' }, { status: 403, headers: { date } }),
    );
    const { stdout } = await doctor(['--api', remote], { fetch });
    expect(stdout).toContain('it denies access: Signature expired (403)');
    expect(stdout).toMatch(/this machine's clock is \d+ s behind the service's; AWS rejects/);
  });
});
