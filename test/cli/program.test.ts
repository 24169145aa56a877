import { describe, expect, it } from 'vitest';
import { run } from './run.ts';
import { instance } from './samples.ts';
import { service, startServicePerTest } from './service-per-test.ts';
import { problem, type Scripted } from './stub-service.ts';

const commands =
  'put status watch history explain export list search counts models sla versions rollback dead-letters redrive replay link links revoke forget doctor cost local init calendar conformance completion'.split(
    ' ',
  );
const below = [
  'dead-letters show',
  'dead-letters reasons',
  'dead-letters delete',
  'rebuild counters',
];

describe('the Milepost CLI', () => {
  it.each([...commands, ...below])('has help with an example for %s', async (command) => {
    const { status, stdout, stderr } = await run([...command.split(' '), '--help']);
    expect(status).toBe(0);
    expect(stdout).toContain(`Usage: milepost ${command}`);
    expect(stdout).toMatch(new RegExp(`Examples?:\\n  \\$ milepost ${command}`));
    expect(stdout).toContain('--api <url>');
    expect(stderr).toBe('');
  });

  it.each([...commands, ...below])(
    'names every argument in the usage line of %s',
    async (command) => {
      const { stdout } = await run([...command.split(' '), '--help']);
      const usage = stdout.slice(0, stdout.indexOf('\n\n'));
      const listed = /^Arguments:\n(.+?)\n\n/ms.exec(stdout)?.[1] ?? '';
      for (const [, name] of listed.matchAll(/^ {2}([\w-]+)/gm))
        expect(usage).toMatch(new RegExp(`[<[]${name}(\\.\\.\\.)?[\\]>]`));
    },
  );

  it('has a command that shows the help for a command', async () => {
    const { status, stdout } = await run(['help', 'dead-letters', 'show']);
    expect(status).toBe(0);
    expect(stdout).toContain('Usage: milepost dead-letters show');
    expect((await run(['help'])).stdout).toContain('Commands:');
    expect(await run(['help', 'stats'])).toMatchObject({
      status: 2,
      stdout: '',
      stderr: "error: unknown command 'stats'; did you mean `status`?\n(use --help for usage)\n",
    });
  });

  it('lists every command in its help', async () => {
    const { stdout } = await run(['--help']);
    const [, list = ''] = /\nCommands:\n(.*?)\n\n/s.exec(stdout) ?? [];
    const listed = Array.from(list.matchAll(/^ {2}(\S+)/gm), ([, name]) => name);
    expect(new Set(listed)).toEqual(new Set([...commands, 'rebuild', 'help']));
  });

  it('limits its help to 80 columns', async () => {
    for (const command of ['', ...commands, ...below]) {
      const { stdout } = await run([...command.split(' '), '--help'].filter(Boolean));
      const text = stdout.split('Example')[0] ?? '';
      expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
    }
  });

  it('does not use the default service if MILEPOST_API is empty, for example after a failed lookup', async () => {
    const error = "error: MILEPOST_API must be a URL such as http://127.0.0.1:4500; got ''";
    for (const argv of [['list'], ['doctor']])
      expect(await run(argv, { env: { MILEPOST_API: '' } })).toMatchObject({
        status: 2,
        stdout: '',
        stderr: `${error}\n(use --help for usage)\n`,
      });
  });

  it('names MILEPOST_API if its value is not a URL', async () => {
    const env = { MILEPOST_API: 'localhost:4500' };
    const message =
      "error: MILEPOST_API must be a URL such as http://127.0.0.1:4500; got 'localhost:4500'";
    const ran = await run(['list'], { env });
    expect(ran).toMatchObject({ status: 2, stderr: expect.stringContaining(message) });
    const given = await run(['list', '--api', 'nowhere'], { env });
    expect(given.stderr).toContain(
      "error: --api must be a URL such as http://127.0.0.1:4500; got 'nowhere'",
    );
  });

  it('prints its version', async () => {
    expect(await run(['--version'])).toMatchObject({ status: 0, stdout: '1.2.3\n' });
  });

  it.each([
    [['statu', 'a', 'b'], "error: unknown command 'statu'\n(Did you mean status?)"],
    [['status', 'activation'], "error: missing required argument 'transaction'"],
    [['status', 'a', 'b', 'c'], 'error: too many arguments'],
    [['status', '', 'b'], "argument value '' is invalid"],
    [['redrive', 'a', '..'], "argument value '..' is invalid"],
    [['list', '--limt', '5'], "error: unknown option '--limt'\n(Did you mean --limit?)"],
    [['list', '--limit', '0'], 'an integer from 1 to 100'],
    [['list', '--limit', '101'], 'an integer from 1 to 100'],
    [['history', 'a', 'b', '--limit', '1.5'], 'an integer from 1 to 100'],
    [['dead-letters', '--limit', 'ten'], 'an integer from 1 to 100'],
    [['list', '--limit', '5', '--all'], 'cannot be used with'],
    [['list', '--api', 'localhost:4500'], '--api must be a URL such as http://127.0.0.1:4500'],
    [['list', '--api', 'http://me:secret@host'], '--api must not contain a user name or password'],
    [['put', 'activation', 'ATV-1'], 'put requires a model, a transaction, and a type'],
    [['put', 'a', 'b', 'c', '--data', '{no'], "argument '{no' is invalid. It must be valid JSON."],
    [['put', 'a', '--file', '-'], 'either --file, or'],
    [['put', '--file', '-', '--id', 'e1'], 'cannot be used with'],
    [['put', '--file', '/no/such/file'], 'cannot read /no/such/file'],
    [['put', '--file', '/'], 'it is a folder'],
    [['revoke', 'a', 'b'], 'revoke requires either link ids or --all, but not both'],
    [['revoke', 'a', 'b', 'c', '--all'], 'revoke requires either link ids or --all, but not both'],
    [['revoke', 'a', 'b', '..'], "argument value '..' is invalid"],
    [['dead-letters', 'shw'], 'error: too many arguments'],
    [['dead-letters', '--reason', ''], "argument '' is invalid. It must not be empty."],
    [['dead-letters', '--reason', 'r', '--limit', '5'], "'--reason <text>' cannot be used with"],
    [['dead-letters', '--reason', 'r', '--json'], '--reason cannot be used with --json'],
    [['dead-letters', 'show'], "error: missing required argument 'id'"],
    [['dead-letters', 'show', ''], "argument value '' is invalid"],
    [['dead-letters', 'show', 'd1', '--all'], "error: unknown option '--all'"],
    [['dead-letters', 'delete'], 'error: delete requires either ids or --reason, but not both'],
    [['dead-letters', 'delete', 'd1', '--reason', 'r'], 'either ids or --reason, but not both'],
    [['dead-letters', 'delete', '--reason', ''], "argument '' is invalid. It must not be empty."],
    [['dead-letters', 'delete', 'd1', '--all'], "error: unknown option '--all'"],
    [['dead-letters', 'delete', '--reason', 'r', '--all'], "error: unknown option '--all'"],
    [['dead-letters', 'show', 'd1', '--reason', 'r'], "error: unknown option '--reason'"],
    [['dead-letters', 'delete', 'd1', '..'], "argument value '..' is invalid"],
    [['redrive'], 'redrive requires'],
    [['redrive', 'a', 'b', '--dead-letter', 'd'], 'accepts only one of these'],
    [['redrive', 'a', 'b', '--dead-letters'], 'accepts only one of these'],
    [['redrive', 'a', 'b', '--reason', 'r'], '--reason requires --dead-letters'],
    [['redrive', '--dead-letter', 'd', '--reason', 'r'], '--reason requires --dead-letters'],
    [['redrive', '--dead-letter', 'd', '--dead-letters'], 'cannot be used with'],
    [
      ['redrive', '--dead-letters', '--reason', ''],
      "argument '' is invalid. It must not be empty.",
    ],
    // As a path segment, `.` would redrive all dead letters.
    [['redrive', '--dead-letter', '.'], 'It must not be . or .., which a URL path cannot contain.'],
    [['watch', 'activation'], "error: missing required argument 'transaction'"],
    [['watch', 'a', 'b', '--interval', '0.1'], 'a number of seconds from 0.2 to 3600'],
    [['watch', 'a', 'b', '--interval', '3601'], 'a number of seconds from 0.2 to 3600'],
    [['watch', 'a', 'b', '--interval', '1e1'], 'a number of seconds from 0.2 to 3600'],
    [['completion'], "error: missing required argument 'shell'"],
    [['completion', 'tcsh'], 'Allowed choices are bash, zsh, fish.'],
    [['local', '--port', '65536'], 'from 0 to 65535'],
    [['local', '--data', 'x', '--in-memory'], 'cannot be used with'],
  ])('rejects %j with a usage error', async (argv, message) => {
    const { status, stdout, stderr } = await run(argv);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain('--help');
    expect(stdout).toBe('');
  });

  it('prints its help and exits with 2 if there is no command', async () => {
    const { status, stdout, stderr } = await run([]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain('Usage: milepost');
  });
});

const busy = (after: string) => ({
  ...problem(503, 'busy'),
  headers: { 'retry-after': after },
});

describe('the API URL of a command', () => {
  startServicePerTest();

  it('is set by --api before or after the command', async () => {
    expect(await run(['--api', service.url, 'list'])).toMatchObject({ status: 0 });
    expect(await run(['list', '--api', `${service.url}/`])).toMatchObject({ status: 0 });
    expect(service.received.map(({ url }) => url)).toEqual(['/api/instances', '/api/instances']);
  });

  it('is set by MILEPOST_API, which --api overrides', async () => {
    const env = { MILEPOST_API: service.url };
    expect(await run(['models'], { env })).toMatchObject({ status: 0 });
    const elsewhere = { MILEPOST_API: 'http://127.0.0.1:1' };
    expect(await run(['models', '--api', service.url], { env: elsewhere })).toMatchObject({
      status: 0,
    });
    expect(service.received.map(({ url }) => url)).toEqual(['/api/models', '/api/models']);
  });

  it('can have a path, such as an API Gateway stage', async () => {
    await run(['models', '--api', `${service.url}/prod/`]);
    expect(service.received[0]?.url).toBe('/prod/api/models');
  });

  it.each([
    ['the service', { detail: 'there is no route for GET /api/api/models' }],
    ['API Gateway', { message: 'Not Found' }],
  ])('cannot end in /api, which the CLI adds, if %s does not know the path', async (_, body) => {
    service.script = () => ({ status: 404, body: JSON.stringify(body) });
    const { stderr } = await run(['models', '--api', `${service.url}/api/`]);
    expect(stderr).toMatch(
      /^error: .*\(404\); omit \/api at the end of --api or MILEPOST_API, because the CLI adds it\n$/,
    );
  });

  it('can end in /api if the service has this path', async () => {
    const body = JSON.stringify({ detail: 'there is no instance activation/ATV-9' });
    service.script = () => ({ status: 404, body });
    const { stderr } = await run(['status', 'activation', 'ATV-9', '--api', `${service.url}/api`]);
    expect(stderr).not.toContain('omit /api');
  });

  const one = /^[^\n]+\n$/;

  it('is reported as unreachable in one line', async () => {
    const { url } = service;
    await service.stop();
    const { status, stdout, stderr } = await run(['list', '--api', url]);
    await service.start();
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(one);
    expect(stderr).toMatch(/^error: cannot reach http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED/);
  });

  it('is reported as a service without TLS if its URL has https instead of http', async () => {
    const { stderr } = await run(['list', '--api', service.url.replace('http:', 'https:')]);
    expect(stderr).toMatch(
      /^error: cannot reach https:\/\/[\d.:]+: it does not use TLS; use http instead of https; is the service running\?\n$/,
    );
  });

  it('is reported as unreachable if its port is one that Fetch blocks', async () => {
    const { status, stderr } = await run(['list', '--api', 'http://127.0.0.1:6000']);
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^error: cannot reach http:\/\/127\.0\.0\.1:6000: .*port.*, such as 4500\n$/,
    );
  });

  it('is reported as unreachable if it closes the connection', async () => {
    service.script = () => 'hang up';
    const { status, stderr } = await run(['list', '--api', service.url]);
    expect(status).toBe(1);
    expect(stderr).toMatch(one);
    expect(stderr).toContain('cannot reach');
  });

  it.each([
    ['text', '<html>\nhello'],
    ['an empty body', ''],
    ['unrelated JSON', '{"hello":"world"}'],
    ['an unrelated list', '{"instances":[{"model":7}]}'],
  ])('is reported as possibly not Milepost if it responds with %s', async (_, body) => {
    service.script = () => ({ status: 200, body });
    const { status, stdout, stderr } = await run(['list', '--api', service.url]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(one);
    expect(stderr).toContain('is it Milepost?');
  });

  it('is reported as possibly not Milepost even with --json', async () => {
    service.script = () => ({ status: 200, body: '<html>' });
    const { status, stdout } = await run(['models', '--json', '--api', service.url]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  });

  it('can return an error with control characters, which are escaped', async () => {
    service.script = () => problem(404, 'no instance\n\x1b[31mactivation/ATV-9');
    const { status, stderr } = await run(['status', 'activation', 'ATV-9', '--api', service.url]);
    expect(status).toBe(1);
    expect(stderr).toBe('error: no instance\\n\\x1b[31mactivation/ATV-9 (404)\n');
  });

  it('can return an error without a message, whose status is printed', async () => {
    service.script = () => ({ status: 502, body: 'Bad Gateway' });
    const { status, stderr } = await run(['models', '--api', service.url]);
    expect(status).toBe(1);
    expect(stderr).toMatch(one);
    expect(stderr).toContain('status 502');
  });

  it('is reported with its new address if it redirects a write, which would otherwise become a read', async () => {
    const headers = { location: 'https://milepost.example/api/events' };
    service.script = () => ({ status: 301, headers });
    const { status, stderr } = await run(['put', 'm', 'x', 't', '--api', service.url]);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `error: ${service.url} redirects to ${headers.location}; set --api or MILEPOST_API to the new address\n`,
    });
    expect(service.received).toHaveLength(1);
  });

  it.each<[failure: 'hang up' | Scripted]>([
    ['hang up'],
    [{ status: 502, body: '<html>Bad Gateway</html>' }],
    [{ status: 504, body: '' }],
  ])(
    'receives a read again after a failure if it responded to an earlier request: %j',
    async (failure) => {
      service.data.instances = Array.from({ length: 150 }, (_, i) =>
        instance({ transaction: `T${i}` }),
      );
      service.script = (_, nth) => (nth === 2 || nth === 3 ? failure : undefined);
      const { status, stdout, waits } = await run(['list', '--all', '--api', service.url]);
      expect({ status, waits }).toEqual({ status: 0, waits: [500, 1000] });
      expect(stdout.split('\n')).toHaveLength(152);
    },
  );

  it('receives a write only once if the connection is lost', async () => {
    service.data.deadLetters = [
      { id: 'd1', reason: 'a' },
      { id: 'd2', reason: 'a' },
    ];
    service.redrivenAtOnce = 1;
    service.script = (_, nth) => (nth === 2 ? 'hang up' : undefined);
    const ran = await run(['redrive', '--dead-letters', '--api', service.url]);
    expect(ran).toMatchObject({ status: 1, waits: [] });
    expect(service.received).toHaveLength(2);
  });

  it('receives the request again after the delay in the Retry-After header', async () => {
    service.script = (_, nth) => [busy('2'), problem(429, 'slow down')][nth - 1];
    const { status, waits } = await run(['models', '--api', service.url]);
    expect(status).toBe(0);
    expect(waits).toEqual([2000, 1000]);
  });

  it('is reported as busy after the last attempt', async () => {
    service.script = () => problem(503, 'busy');
    const { status, stderr, waits } = await run(['models', '--api', service.url]);
    expect({ status, stderr }).toEqual({ status: 1, stderr: 'error: busy (503)\n' });
    expect(waits).toEqual([500, 1000, 2000]);
  });

  it.each([
    [429, '{"message":"Too Many Requests"}'],
    [503, '{"message":"Service Unavailable"}'],
    [503, '<html>503 Service Temporarily Unavailable</html>'],
  ])(
    'is reported as overloaded if API Gateway or a proxy throttles with %i %s',
    async (code, body) => {
      service.script = () => ({ status: code, body });
      const { status, stderr, waits } = await run(['models', '--api', service.url]);
      const told = `error: the service is busy; try again later (${code})\n`;
      expect({ status, stderr }).toEqual({ status: 1, stderr: told });
      expect(waits).toEqual([500, 1000, 2000]);
    },
  );

  it("is reported with API Gateway's error if access is denied", async () => {
    service.script = () => ({ status: 403, body: '{"message":"Forbidden"}' });
    const { stderr } = await run(['models', '--api', service.url]);
    expect(stderr).toBe('error: Forbidden (403)\n');
  });

  it('is reported with the variable for the token if the token is invalid', async () => {
    service.script = () => ({ status: 401, body: '{"message":"Unauthorized"}' });
    const { stderr } = await run(['models', '--api', service.url]);
    expect(stderr).toBe('error: Unauthorized (401); set MILEPOST_TOKEN to a valid token\n');
  });

  it('is not reported as unreachable if there are no AWS credentials', async () => {
    const error = Object.assign(new Error('no profile'), { name: 'CredentialsProviderError' });
    const { status, stderr } = await run(['models'], { fetch: () => Promise.reject(error) });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr:
        'error: cannot sign the request: no profile; set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY\n',
    });
  });

  it.each(['se cret', 'secret\n', 'secret\u001b'])(
    'is not called with the invalid token %j, which is not printed',
    async (token) => {
      const env = { MILEPOST_TOKEN: token };
      const { status, stderr } = await run(['models', '--api', service.url], { env });
      expect(status).toBe(2);
      expect(stderr).toMatch(/^error: MILEPOST_TOKEN must be a token of /);
      expect(stderr).not.toContain('cret');
      expect(service.received).toEqual([]);
    },
  );

  it('does not receive the request again if the delay in Retry-After is hours', async () => {
    service.script = () => busy('7200');
    expect(await run(['models', '--api', service.url])).toMatchObject({ status: 1, waits: [] });
  });
});

it.each([
  ['list', '--status', ''],
  ['list', '--q', ''],
  ['list', '--key', ''],
  ['put', '--file', ''],
  ['export', '-o', ''],
  ['calendar', ''],
  ['init', ''],
  ['local', '--data', ''],
  ['local', '--models', ''],
])(
  'an empty value, such as that of an unset shell variable, is a usage error: %s %s',
  async (...argv) => {
    const { status, stdout, stderr } = await run(argv);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain('It must not be empty.');
  },
);

describe('milepost local', () => {
  it('passes its options as variables to the local service and exits with the same status', async () => {
    const given: unknown[] = [];
    const runLocal = (environment: unknown) => {
      given.push(environment);
      return Promise.resolve(given.length);
    };
    const env = { MILEPOST_KINESIS_PORT: '0', MILEPOST_DATA: 'kept' };
    const first = await run(['local'], { env, runLocal });
    const second = await run(['local', '--port', '0', '--data', 'here'], { env, runLocal });
    await run(['local', '--in-memory'], { env, runLocal });
    expect([first.status, second.status]).toEqual([1, 2]);
    expect(given).toEqual([
      env,
      { ...env, MILEPOST_PORT: '0', MILEPOST_DATA: 'here' },
      { ...env, MILEPOST_DATA: '' },
    ]);
  });
});
