import { randomUUID } from 'node:crypto';
import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localTime } from '../../src/cli/format.ts';
import { run } from './run.ts';
import { deadLetter, entry, instance } from './samples.ts';
import { StubService } from './stub-service.ts';

let service: StubService;
beforeEach(async () => {
  service = await new StubService().start();
});
afterEach(() => service.stop());

const ask = (argv: readonly string[], around = {}) => run([...argv, '--api', service.url], around);
const minutesAgo = (n: number) => new Date(Date.now() - n * 60_000 - 1000).toISOString();

describe('status', () => {
  it('shows where an instance is', async () => {
    service.data.instances = [
      instance({
        statusSince: minutesAgo(3),
        parked: 2,
        milestones: [
          { id: 'a', label: 'Received', state: 'reached', at: minutesAgo(60), expectedBy: null },
          { id: 'b', label: 'Verified', state: 'late', at: null, expectedBy: minutesAgo(120) },
          { id: 'c', label: 'Closed', state: 'pending', at: null, expectedBy: null },
        ],
        timers: [{ name: 'reservation/Fred', dueAt: minutesAgo(-5) }],
      }),
    ];
    const { status, stdout } = await ask(['status', 'activation', 'ATV-123']);
    expect(status).toBe(0);
    expect(stdout).toContain('activation/ATV-123\nStatus    Active\n');
    expect(stdout).toMatch(/^Since {5}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(3m ago\)$/m);
    expect(stdout).toContain('Progress  █████████████░░░░░░░ 66%');
    expect(stdout).toMatch(/^Parked {4}2/m);
    expect(stdout).toMatch(/^✔ {2}Received {2}reached .* \(1h ago\)$/m);
    expect(stdout).toMatch(/^! {2}Verified {2}late, expected 2h ago$/m);
    expect(stdout).toMatch(/^○ {2}Closed {4}pending$/m);
    expect(stdout).toMatch(/^reservation\/Fred {2}due .* \(in 4m\)$/m);
    expect(stdout).not.toContain('created_at');
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
    const time = localTime('2026-01-02T03:04:05Z');
    expect(stdout.split('\n')).toEqual([
      'v  time                 type                  source  outcome   status   reason',
      `1  ${time}  activation.requested  tv      applied   Waiting`,
      `2  ${time}  activation.requested  tv      rejected  Waiting  it was there before`,
      '',
    ]);
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
    expect(stdout.split('\n')).toEqual([
      'model       transaction  status  progress  updated',
      'activation  ATV-1        Active       66%  7m ago',
      '',
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
    expect(stdout).toBe(
      'model    version  title      statuses\nsession        2  A session  Open, Ended\n',
    );
  });
});

describe('dead-letters', () => {
  beforeEach(() => {
    service.data.deadLetters = [
      deadLetter('d1', '{"oops\x1b'),
      deadLetter('d2', Buffer.from([0xff, 0x41]), { modelId: 'nope', transactionId: 'ATV-1' }),
    ];
  });

  it('lists them with their reasons', async () => {
    const { stdout } = await ask(['dead-letters']);
    expect(stdout).toMatch(/^id {2}when +model {2}transaction {2}reason$/m);
    expect(stdout).toMatch(/^d2 .* nope   ATV-1        not JSON$/m);
  });

  it('shows what they were with --raw, bytes that are no text as escapes', async () => {
    const { stdout } = await ask(['dead-letters', '--raw']);
    expect(stdout).toContain('{"oops\\x1b\n');
    expect(stdout).toMatch(/transaction {2}ATV-1\n(.*\n)*\\xffA\n$/);
  });
});

describe('redrive', () => {
  it("applies an instance's parked events again", async () => {
    service.data.instances = [instance()];
    const { status, stdout } = await ask(['redrive', 'activation', 'ATV-123']);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: 'redriven 2 events of activation/ATV-123\n',
    });
    expect(service.received[0]?.method).toBe('POST');
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
      stdout: '',
    });
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
});
