import { randomUUID } from 'node:crypto';
import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localTime } from '../../src/cli/output/format.ts';
import { run } from './run.ts';
import { deadLetter, entry, instance } from './samples.ts';
import { json, problem, StubService } from './stub-service.ts';
import { timeless } from './timeless.ts';

let service: StubService;
beforeEach(async () => {
  service = await new StubService().start();
});
afterEach(() => service.stop());

const ask = (argv: readonly string[], around = {}) => run(['--api', service.url, ...argv], around);
const minutesAgo = (n: number) => new Date(Date.now() - n * 60_000 - 1000).toISOString();

describe('status', () => {
  it('shows where an instance is', async () => {
    service.data.instances = [
      instance({
        startedAt: minutesAgo(60),
        statusSince: minutesAgo(3),
        updatedAt: minutesAgo(3),
        parked: 2,
        milestones: [
          { id: 'a', label: 'Received', state: 'reached', at: minutesAgo(60), expectedBy: null },
          { id: 'b', label: 'Verified', state: 'late', at: null, expectedBy: minutesAgo(120) },
          { id: 'c', label: 'Closed', state: 'pending', at: null, expectedBy: null },
        ],
        eta: [{ id: 'c', p50: minutesAgo(-70), p90: minutesAgo(-200) }],
        timers: [{ name: 'reservation/Fred', dueAt: minutesAgo(-5) }],
      }),
    ];
    const { status, stdout } = await ask(['status', 'activation', 'ATV-123']);
    expect(status).toBe(0);
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "activation/ATV-123
      Status    Active
      Parked    2 events; to go on: milepost redrive activation ATV-123
      Since     YYYY-MM-DD hh:mm:ss (3m ago)
      Progress  █████████████░░░░░░░ 66%
      Done      no
      Started   YYYY-MM-DD hh:mm:ss (1h ago)
      Updated   YYYY-MM-DD hh:mm:ss (3m ago)
      Version   3 (model version 1)

      Milestones
      ✔  Received  reached YYYY-MM-DD hh:mm:ss (1h ago)
      !  Verified  late, expected 2h ago
      ○  Closed    pending, likely in 1h, 9 in 10 in 3h

      Timers
      reservation/Fred  due YYYY-MM-DD hh:mm:ss (in 4m)
      "
    `);
  });

  it.each([
    ["Fred's seat; $1", `1 event; to go on: milepost redrive activation 'Fred'\\''s seat; $1'`],
    ['-1', '1 event; to go on: milepost redrive -- activation -1'],
  ])('says how to redrive %s in words that a shell takes', async (transaction, said) => {
    service.data.instances = [instance({ transaction, parked: 1 })];
    const { stdout } = await ask(['status', '--', 'activation', transaction]);
    expect(stdout).toContain(`${said}\n`);
  });

  it('says that an instance has not started while every event was rejected', async () => {
    service.data.instances = [instance({ startedAt: null })];
    const { status, stdout } = await ask(['status', 'activation', 'ATV-123']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Started {3}not yet: no event has been applied$/m);
  });

  it('leaves out what there is none of', async () => {
    service.data.instances = [instance({ progress: null })];
    const { stdout } = await ask(['status', 'activation', 'ATV-123']);
    for (const word of ['Progress', 'Parked', 'Milestones', 'Timers'])
      expect(stdout).not.toContain(word);
  });

  it('shows the state if asked', async () => {
    service.data.instances = [instance({ state: { who: 'Fred\u009b31m' } })];
    const { stdout } = await ask(['status', 'activation', 'ATV-123', '--state']);
    expect(stdout).toContain('\nState\n{\n  "who": "Fred\\u009b31m"\n}\n');
  });

  it('asks for exactly the instance it was given', async () => {
    service.data.instances = [instance({ transaction: 'a/b?c #%ü' })];
    expect(await ask(['status', 'activation', 'a/b?c #%ü'])).toMatchObject({ status: 0 });
  });

  it('says that there is none', async () => {
    const { status, stdout, stderr } = await ask(['status', 'activation', 'ATV-9']);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe('error: no instance activation/ATV-9 (404)\n');
  });
});

describe('history', () => {
  it('shows a line for each event', async () => {
    service.data.instances = [instance()];
    service.data.histories['activation/ATV-123'] = [
      entry(1),
      entry(2, { outcome: 'rejected', reason: 'it was there before' }),
    ];
    const { stdout } = await ask(['history', 'activation', 'ATV-123']);
    expect(stdout).toContain(`1  ${localTime('2026-01-02T03:04:05Z')}  `);
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "v  time                 type                  source  outcome   status   reason
      1  YYYY-MM-DD hh:mm:ss  activation.requested  tv      applied   Waiting
      2  YYYY-MM-DD hh:mm:ss  activation.requested  tv      rejected  Waiting  it was there before
      "
    `);
  });

  it('says where another version of the model went on', async () => {
    service.data.instances = [instance()];
    const versions = [1, 1, 2, 2, 1];
    service.data.histories['activation/ATV-123'] = versions.map((modelVersion, index) =>
      entry(index + 1, { modelVersion }),
    );
    const { stdout } = await ask(['history', 'activation', 'ATV-123']);
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "v  time                 type                  source  outcome  status   model
      1  YYYY-MM-DD hh:mm:ss  activation.requested  tv      applied  Waiting  v1
      2  YYYY-MM-DD hh:mm:ss  activation.requested  tv      applied  Waiting
      3  YYYY-MM-DD hh:mm:ss  activation.requested  tv      applied  Waiting  v2
      4  YYYY-MM-DD hh:mm:ss  activation.requested  tv      applied  Waiting
      5  YYYY-MM-DD hh:mm:ss  activation.requested  tv      applied  Waiting  v1
      "
    `);
  });

  it('has no column for versions where there is one', async () => {
    service.data.instances = [instance()];
    service.data.histories['activation/ATV-123'] = [
      entry(1, { modelVersion: 3 }),
      entry(2, { modelVersion: 3 }),
    ];
    const { stdout } = await ask(['history', 'activation', 'ATV-123']);
    expect(stdout).not.toContain('model');
  });

  it('has no column for reasons where there is none', async () => {
    service.data.instances = [instance()];
    service.data.histories['activation/ATV-123'] = [entry(1)];
    const { stdout } = await ask(['history', 'activation', 'ATV-123']);
    expect(stdout).not.toContain('reason');
  });

  it('shows one page and says that there is more, or all with --all', async () => {
    service.data.instances = [instance()];
    service.data.histories['activation/ATV-123'] = Array.from({ length: 230 }, (_, i) => entry(i));
    const page = await ask(['history', 'activation', 'ATV-123', '--limit', '10']);
    expect(page.stdout.split('\n')).toHaveLength(12);
    expect(page.stderr).toContain('--all');
    const all = await ask(['history', 'activation', 'ATV-123', '--all']);
    expect(all.stdout.split('\n')).toHaveLength(232);
    expect(all.stderr).toBe('');
    expect(service.received.slice(1)).toHaveLength(3);
  });
});

describe('list', () => {
  it('passes its filters on', async () => {
    service.data.instances = [
      instance({ transaction: 'ATV-1', status: 'Active', updatedAt: minutesAgo(7) }),
      instance({ transaction: 'ATV-2', status: 'Suspended', parked: 4 }),
      instance({ transaction: 'BTV-1', status: 'Active' }),
      instance({ transaction: 'ATV-3', status: 'Active', model: 'other' }),
    ];
    const { stdout } = await ask(
      ['list', '--model', 'activation', '--status', 'Active', '--q', 'ATV'],
      {},
    );
    expect(stdout).toMatchInlineSnapshot(`
      "model       transaction  status  progress  updated
      activation  ATV-1        Active       66%  7m ago
      "
    `);
  });

  it('shows what is late, and what has parked events', async () => {
    const milestones = [{ id: 'a', label: 'A', state: 'late' }];
    service.data.instances = [
      instance({ transaction: 'late', milestones }),
      instance({ transaction: 'parked', parked: 1 }),
      instance({ transaction: 'both', milestones, parked: 1 }),
    ];
    const found = async (...options: string[]) =>
      [...(await ask(['list', ...options])).stdout.matchAll(/^activation +(\w+)/gm)].map(
        ([, transaction]) => transaction,
      );
    expect(await found('--late')).toEqual(['late', 'both']);
    expect(await found('--parked', '--all')).toEqual(['parked', 'both']);
    expect(await found('--late', '--parked')).toEqual(['both']);
    expect(service.received.map(({ url }) => url)).toEqual([
      '/api/instances?late=true',
      '/api/instances?parked=true&limit=100',
      '/api/instances?late=true&parked=true',
    ]);
  });

  it('says on standard error that there is none', async () => {
    const { status, stdout, stderr } = await ask(['list']);
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    expect(stderr).toBe('There are no such instances.\n');
  });
});

describe('models', () => {
  it('lists them', async () => {
    service.data.models = [
      {
        id: 'session',
        version: 2,
        title: 'A session',
        statuses: ['Open', 'Ended'],
        milestones: [],
        functionArn: 'arn:aws:lambda:…',
      },
    ];
    const { stdout } = await ask(['models']);
    expect(stdout).toMatchInlineSnapshot(`
      "model    version  title      statuses
      session        2  A session  Open, Ended
      "
    `);
  });
});

describe('dead-letters', () => {
  beforeEach(() => {
    service.data.deadLetters = [
      deadLetter('d1', '{"oops\x1b', { at: minutesAgo(120) }),
      deadLetter('d2', Buffer.from([0xff, 0x41]), {
        modelId: 'nope',
        transactionId: 'ATV-1',
        at: minutesAgo(7),
      }),
    ];
  });

  it('lists them with their reasons', async () => {
    const { stdout } = await ask(['dead-letters']);
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "id  when    model  transaction  reason
      d1  2h ago                      not JSON
      d2  7m ago  nope   ATV-1        not JSON
      "
    `);
  });

  it('shows what they were with --raw, bytes that are no text as escapes', async () => {
    const { stdout } = await ask(['dead-letters', '--raw']);
    expect(stdout).toContain('{"oops\\x1b\n');
    expect(stdout).toMatch(/transaction {2}ATV-1\n(.*\n)*\\xffA\n$/);
  });

  it('shows all of one reason, on whatever page they are', async () => {
    service.data.deadLetters = Array.from({ length: 230 }, (_, i) =>
      deadLetter(`d${i}`, 'x', { reason: i % 100 === 0 ? 'no\nreason' : 'no' }),
    );
    const ids = (stdout: string) => [...stdout.matchAll(/^(d\d+) /gm)].map(([, id]) => id);
    const { stdout, stderr } = await ask(['dead-letters', '--reason', 'no\nreason']);
    expect(ids(stdout)).toEqual(['d0', 'd100', 'd200']);
    expect(stderr).toBe('');
    // As it was read off the list.
    const copied = await ask(['dead-letters', '--reason', 'no\\nreason']);
    expect(ids(copied.stdout)).toEqual(['d0', 'd100', 'd200']);
    expect(await ask(['dead-letters', '--reason', 'none'])).toMatchObject({
      status: 0,
      stdout: '',
      stderr: 'There are no dead letters with this reason.\n',
    });
  });
});

describe('dead-letters show', () => {
  const show = async (raw: Uint8Array | string) => {
    service.data.deadLetters = [deadLetter('d1', raw)];
    const { stdout } = await ask(['dead-letters', 'show', 'd1']);
    return stdout.split('\n\nContent ')[1];
  };

  it('shows what is known of it', async () => {
    const known = { modelId: 'm', transactionId: 'T\x1b', eventId: 'e', at: minutesAgo(3) };
    service.data.deadLetters = [deadLetter('d1', '{}', known)];
    const { status, stdout } = await ask(['dead-letters', 'show', 'd1']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^id {11}d1\nwhen {9}\d.* \(3m ago\)\nmodel {8}m\n/);
    expect(stdout).toContain('\ntransaction  T\\x1b\nevent        e\nreason       not JSON\n\n');
  });

  it('shows JSON over several lines, as it was written', async () => {
    expect(
      await show('{"a":[1,{"b":[] , "c":{}}],"a":12345678901234567890.10,"__proto__":"{\\""}'),
    ).toMatchInlineSnapshot(`
      "(73 bytes)
      {
        "a": [
          1,
          {
            "b": [],
            "c": {}
          }
        ],
        "a": 12345678901234567890.10,
        "__proto__": "{\\""
      }
      "
    `);
  });

  it.each([
    ['text', 'Hello,\r\nwörld', '(14 bytes)\nHello,\\r\\nwörld\n'],
    ['one byte', 'x', '(1 byte)\nx\n'],
    ['nothing', '', '(0 bytes)\n\n'],
    ['bytes', Uint8Array.of(0x7b, 0xff, 0x7d, 0), '(4 bytes)\n{\\xff}\\x00\n'],
    ['JSON in no UTF-8', Uint8Array.of(0x22, 0xff, 0x22), '(3 bytes)\n"\\xff"\n'],
    ['JSON that a terminal acts on', '"\u009b31m\u202e"', '(10 bytes)\n"\\u009b31m\\u202e"\n'],
    ['a number', ' 42\r\n', '(5 bytes)\n42\n'],
  ])('shows %s', async (_, raw, content) => {
    expect(await show(raw)).toBe(content);
  });

  it('leaves what is nested very deep on one line', async () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    expect(await show(`\n${deep}`)).toBe(`(100001 bytes)\n${deep}\n`);
  });

  it('prints what came with --json', async () => {
    service.data.deadLetters = [deadLetter('d1', 'x')];
    const shown = await ask(['dead-letters', 'show', 'd1', '--json']);
    expect(JSON.parse(shown.stdout)).toEqual(service.data.deadLetters[0]);
  });

  it('says that there is none', async () => {
    expect(await ask(['dead-letters', 'show', 'd/9'])).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'error: there is no dead letter d/9 (404)\n',
    });
  });
});

describe('dead-letters delete', () => {
  const ids = () => service.data.deadLetters.map(({ id }) => id);
  beforeEach(() => {
    const of = (transactionId: string) => ({ modelId: 'activation', transactionId });
    service.data.instances = [
      instance({ transaction: 'waits', parked: 2 }),
      instance({ transaction: 'runs' }),
    ];
    service.data.deadLetters = [
      deadLetter('d1', 'x'),
      deadLetter('d2', '{}', of('waits')),
      deadLetter('d3', '{}', of('runs')),
      deadLetter('d4', '{}', of('nobody')),
    ];
  });

  it('deletes them, and says whose instance goes on without one', async () => {
    expect(await ask(['dead-letters', 'delete', 'd1', 'd2', 'd3'])).toMatchObject({
      status: 0,
      stdout:
        'deleted dead letter d1\n' +
        'deleted dead letter d2: activation/waits goes on without it\n' +
        'deleted dead letter d3\n',
      stderr: '',
    });
    expect(ids()).toEqual(['d4']);
  });

  it('goes on behind one that is not there', async () => {
    expect(await ask(['dead-letters', 'delete', 'd9', 'd4'])).toMatchObject({
      status: 1,
      stdout: 'deleted dead letter d4\n',
      stderr: 'error: there is no dead letter d9 (404)\n',
    });
    expect(ids()).toEqual(['d1', 'd2', 'd3']);
  });

  it('stops where the service does not delete', async () => {
    service.script = ({ method }) => (method === 'DELETE' ? problem(500, 'broken') : undefined);
    expect(await ask(['dead-letters', 'delete', 'd1', 'd2'])).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'error: broken (500)\n',
    });
    expect(service.received.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  });

  it('says nothing with --json, as the API does', async () => {
    const { status, stdout } = await ask(['dead-letters', 'delete', 'd1', 'd2', '--json']);
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    expect(ids()).toEqual(['d3', 'd4']);
  });
});

describe('redrive', () => {
  it("applies an instance's parked events again", async () => {
    service.data.instances = [instance({ parked: 2 }), instance({ transaction: 'T2', parked: 1 })];
    const { status, stdout } = await ask(['redrive', 'activation', 'ATV-123']);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: 'redriven 2 events of activation/ATV-123\n',
    });
    expect(service.received[0]?.method).toBe('POST');
    const { stdout: one } = await ask(['redrive', 'activation', 'T2']);
    expect(one).toBe('redriven 1 event of activation/T2\n');
  });

  it('says where nothing is parked, and where there is no instance', async () => {
    service.data.instances = [instance()];
    expect(await ask(['redrive', 'activation', 'ATV-123'])).toMatchObject({
      status: 0,
      stdout: 'nothing is parked at activation/ATV-123\n',
    });
    expect(await ask(['redrive', 'activation', 'ATV-9'])).toMatchObject({
      status: 1,
      stderr: 'error: no instance activation/ATV-9 (404)\n',
    });
  });

  it('puts a dead letter on the stream again', async () => {
    service.data.deadLetters = [deadLetter('d/1', 'x')];
    expect(await ask(['redrive', '--dead-letter', 'd/1'])).toMatchObject({
      status: 0,
      stdout: 'put dead letter d/1 on the stream again\n',
    });
    expect(await ask(['redrive', '--dead-letter', 'd2'])).toMatchObject({ status: 1 });
    expect(await ask(['redrive', '--dead-letter', 'd/1', '--json'])).toMatchObject({
      status: 0,
      stdout: '{"redriven":1}\n',
    });
  });
});

describe('forget', () => {
  beforeEach(() => {
    service.data.instances = [instance()];
  });

  it('destroys what is sealed of an instance, and says whose', async () => {
    expect(await ask(['forget', 'activation', 'ATV-123'])).toMatchObject({
      status: 0,
      stdout: 'the sensitive fields of activation/ATV-123 are forgotten\n',
    });
    expect(service.received[1]).toMatchObject({
      method: 'POST',
      url: '/api/instances/activation/ATV-123/forget',
    });
    const times = { createdAt: '2026-11-01T12:00:00Z', expiresAt: '2026-11-28T12:00:00Z' };
    service.data.links = { 'activation/ATV-123': [{ id: 'a', ...times }] };
    expect((await ask(['forget', 'activation', 'ATV-123'])).stdout).toBe(
      'the sensitive fields of activation/ATV-123 are forgotten\nlinks to its status page that are revoked: 1\n',
    );
    expect(await ask(['forget', 'activation', 'ATV-9'])).toMatchObject({ status: 1 });
  });

  it('goes on to the end of the history, and says what held plain text', async () => {
    service.forgets = [
      { forgotten: true, rewritten: 25, parked: 2, cursor: '1' },
      { forgotten: true, rewritten: 3, parked: 2 },
    ];
    const { status, stdout } = await ask(['forget', 'activation', 'ATV-123']);
    expect(status).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "the sensitive fields of activation/ATV-123 are forgotten
      commits that held them in plain text, and no longer do: 28
      parked events that still hold plain text: 2; redrive them, or delete their dead letters
      "
    `);
    expect(service.received.map(({ url }) => url)).toEqual([
      '/api/instances/activation/ATV-123',
      '/api/instances/activation/ATV-123/forget',
      '/api/instances/activation/ATV-123/forget?cursor=1',
    ]);
    const asJson = await ask(['forget', 'activation', 'ATV-123', '--json']);
    expect(JSON.parse(asJson.stdout)).toEqual({
      forgotten: true,
      rewritten: 28,
      parked: 2,
      revokedLinks: 0,
    });
  });

  it('forgets nothing where the path leads to another instance', async () => {
    // As behind an HTTP API, which decodes a path twice.
    service.script = ({ method }) =>
      method === 'GET' ? json(200, { ...instance(), transaction: 'a/b' }) : undefined;
    expect(await ask(['forget', 'activation', 'a%2Fb'])).toMatchObject({ status: 1 });
    expect(service.received.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('says where nobody knows what the history holds', async () => {
    service.forgets = [{ forgotten: true, rewritten: null, parked: 0 }];
    const { stdout } = await ask(['forget', 'activation', 'ATV-123']);
    expect(stdout).toContain('its model is not registered');
  });
});

describe('redrive --dead-letters', () => {
  beforeEach(() => {
    service.redrivenAtOnce = 2;
    service.data.deadLetters = ['a', 'a', 'b & c', 'b & c', 'a'].map((reason, i) =>
      deadLetter(`d${i}`, 'x', { reason }),
    );
  });

  it('goes on with the cursor until all are on the stream again', async () => {
    expect(await ask(['redrive', '--dead-letters'])).toMatchObject({
      status: 0,
      stdout: 'redriven 5 dead letters\n',
      stderr: '',
    });
    expect(service.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /api/dead-letters/redrive',
      'POST /api/dead-letters/redrive?cursor=2',
      'POST /api/dead-letters/redrive?cursor=4',
    ]);
  });

  it('takes those of one reason', async () => {
    const { stdout } = await ask(['redrive', '--dead-letters', '--reason', 'b & c']);
    expect(stdout).toBe('redriven 2 dead letters\n');
    expect(service.received).toHaveLength(3);
    const none = await ask(['redrive', '--dead-letters', '--reason', 'd']);
    expect(none).toMatchObject({ status: 0, stdout: 'no dead letter has this reason\n' });
  });

  it('says that there are none', async () => {
    service.data.deadLetters = [];
    const { status, stdout } = await ask(['redrive', '--dead-letters']);
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'there are no dead letters\n' });
  });

  it('prints the total with --json', async () => {
    const { stdout } = await ask(['redrive', '--dead-letters', '--json']);
    expect(stdout).toBe('{"redriven":5}\n');
  });

  it('says how far it came where the service says no', async () => {
    service.script = ({ url }) => (url.endsWith('cursor=4') ? problem(500, 'broken') : undefined);
    expect(await ask(['redrive', '--dead-letters'])).toMatchObject({
      status: 1,
      stdout: 'redriven 4 dead letters\n',
      stderr: 'error: broken (500)\n',
    });
    service.script = () => problem(500, 'broken');
    expect(await ask(['redrive', '--dead-letters'])).toMatchObject({ status: 1, stdout: '' });
  });
});

describe('--json', () => {
  it('prints what came, to the letter', async () => {
    const body = '{ "instances": [],\n "n": 12345678901234567890.10 }';
    service.script = () => ({ status: 200, body });
    expect((await ask(['list', '--json'])).stdout).toBe(`${body}\n`);
    expect((await ask(['status', 'a', 'b', '--json'])).stdout).toBe(`${body}\n`);
    expect((await ask(['--json', 'models'])).stdout).toBe(`${body}\n`);
  });

  it('prints every page with --all', async () => {
    service.data.instances = Array.from({ length: 150 }, () => instance());
    const { stdout, stderr } = await ask(['list', '--all', '--json']);
    const pages = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).instances.length);
    expect(pages).toEqual([100, 50]);
    expect(stderr).toBe('');
  });

  it('gives a terminal nothing that it would act on', async () => {
    const body = '{"instances":[],"s":"\u009b31m\u202e"}';
    service.script = () => ({ status: 200, body });
    const { stdout } = await ask(['list', '--json'], { columns: 80 });
    expect(stdout).toBe('{"instances":[],"s":"\\u009b31m\\u202e"}\n');
  });
});

describe('on a terminal', () => {
  const nasty = 'ATV-\x1b]0;owned\x07\u202e日本語日本語日本語日本語';
  beforeEach(() => {
    service.data.instances = [
      instance({ transaction: nasty, status: 'Waiting for \x9b the bank' }),
      instance({ transaction: 'ATV-2' }),
    ];
    service.data.histories['activation/ATV-2'] = [entry(1, { reason: 'because '.repeat(20) })];
    const ids = { modelId: 'activation', transactionId: 'ATV-123456', eventId: randomUUID() };
    service.data.deadLetters = [deadLetter('0mwq3k2y5-dfd8744da9d81190', 'x', ids)];
  });

  it.each([
    [80, ['history', 'activation', 'ATV-2']],
    [80, ['list']],
    [60, ['list']],
    [80, ['dead-letters']],
  ])('a table fits %i columns: %j', async (columns, argv) => {
    const { stdout } = await ask(argv, { columns });
    const widths = stdout.split('\n').map((line) => stringWidth(line));
    expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
    expect(stdout).toContain('…');
  });

  it('a table that cannot fit becomes blocks', async () => {
    const { stdout } = await ask(['history', 'activation', 'ATV-2'], {
      columns: 40,
      env: { NO_COLOR: '1' },
    });
    expect(stdout).toMatch(/^v {8}1\ntime {5}\d.*\ntype {5}activation\.requested\n/);
  });

  it('a narrow one sees how far times are, where there is no room for when', async () => {
    const reached = { id: 'a', label: 'Received', state: 'reached', at: minutesAgo(60) };
    service.data.instances = [instance({ milestones: [reached] })];
    const look = (columns: number) =>
      ask(['status', 'activation', 'ATV-123'], { columns, env: { NO_COLOR: '1' } });
    expect((await look(40)).stdout).toMatch(/^✔ {2}Received {2}reached 1h ago$/m);
    expect((await look(80)).stdout).toMatch(/^✔ {2}Received {2}reached \d.* \(1h ago\)$/m);
  });

  it('control characters from the data never arrive', async () => {
    for (const argv of [['list'], ['status', 'activation', nasty]]) {
      const { stdout } = await ask(argv, { columns: 120 });
      const text = stripVTControlCharacters(stdout);
      expect(text).toContain('ATV-\\x1b]0;owned\\x07\\u202e');
      expect(text).toContain('\\x9b the bank');
      expect(text).not.toMatch(/[^\P{Cc}\n]/u);
    }
  });

  it('has colours, but not with NO_COLOR, and not in a pipe', async () => {
    expect((await ask(['list'], { columns: 80 })).stdout).toContain('\x1b[1m');
    const env = { NO_COLOR: '1' };
    expect((await ask(['list'], { columns: 80, env })).stdout).not.toContain('\x1b');
    expect((await ask(['list'])).stdout).not.toContain('\x1b');
  });

  it.each([
    [{ FORCE_COLOR: '1' }, undefined, true],
    [{ FORCE_COLOR: '3' }, 80, true],
    [{ FORCE_COLOR: '' }, undefined, false],
    [{ FORCE_COLOR: '0' }, 80, false],
    [{ FORCE_COLOR: 'false' }, 80, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, 80, false],
  ])('with %j has colours as asked, at %s columns', async (env, columns, hasColours) => {
    const { stdout } = await ask(['list'], { columns, env });
    expect(stdout.includes('\x1b[1m')).toBe(hasColours);
  });
});
