import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toIso } from '../../../../src/core/time/timestamp.ts';
import { commitOf, entryOf } from '../../../support/data/commits.ts';
import { placed } from '../../../support/data/events.ts';
import { registryEntry } from '../../../support/models/registry-entry.ts';
import { MemoryApi } from '../../../support/service/memory-api.ts';
import { run } from '../../run.ts';
import { timeless } from '../../timeless.ts';

let api: MemoryApi;
let asked: string[];
beforeEach(() => {
  // The commands print how long ago something happened. At this time, no time zone changes its offset.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 5, 10, 12) });
  api = new MemoryApi();
  asked = [];
});
afterEach(() => vi.useRealTimers());

/** Runs a command against the API. */
const ask = (argv: readonly string[], around = {}) =>
  run(argv, {
    fetch: (async (input: string, init?: RequestInit) => {
      asked.push(decodeURIComponent(new URL(input).search));
      return api.app.request(input, init);
    }) as typeof fetch,
    ...around,
  });

/** Creates three versions of an instance, one hour apart. The latest version has the current time. */
async function threeVersions(): Promise<void> {
  await api.clock.advance(Date.now() - api.clock.now() - 2 * 3_600_000);
  for (const [n, id] of ['a', 'b', 'c'].entries()) {
    if (n > 0) await api.clock.advance(3_600_000);
    const time = toIso(api.clock.now());
    await api.apply(placed(n, { id, data: { n: n * 6 }, source: `till ${n}`, time }));
  }
}

describe('milepost status with --as-of-event-time', () => {
  it('shows the instance with the events that had happened by the given time', async () => {
    await api.clock.advance(Date.now() - api.clock.now());
    api.models.register(registryEntry('counter'));
    const hoursAgo = (n: number) => toIso(api.clock.now() - n * 3_600_000);
    await api.apply(placed(1, { id: 'later', data: { n: 20 }, time: hoursAgo(2) }));
    await api.apply(placed(2, { id: 'earlier', time: hoursAgo(5) }));
    const { stdout } = await ask(['status', 'counter', 'T1', '--as-of-event-time', 'PT3H']);
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "Past state as of event time YYYY-MM-DD hh:mm:ss (3h ago), with the events that happened by then
      counter/T1
      Status    Low
      Since     YYYY-MM-DD hh:mm:ss (5h ago)
      Done      no
      Started   YYYY-MM-DD hh:mm:ss (5h ago)
      Updated   YYYY-MM-DD hh:mm:ss (now)
      Version   2 (model version 1)
      "
    `);
  });

  it('cannot be combined with --at or --at-version', async () => {
    for (const other of [
      ['--at', 'PT1H'],
      ['--at-version', '1'],
    ]) {
      const argv = ['status', 'counter', 'T1', '--as-of-event-time', 'PT3H', ...other];
      expect(await ask(argv)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('cannot be used with'),
      });
    }
  });
});

describe('milepost status with --at or --at-version', () => {
  beforeEach(threeVersions);

  it('shows the instance as of a past version, with the time of that version', async () => {
    const { status, stdout } = await ask([
      'status',
      'counter',
      'T1',
      '--at-version',
      '2',
      '--state',
    ]);
    expect(status).toBe(0);
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "Past state as of YYYY-MM-DD hh:mm:ss (1h ago)
      counter/T1
      Status    Low
      Since     YYYY-MM-DD hh:mm:ss (2h ago)
      Done      no
      Started   YYYY-MM-DD hh:mm:ss (2h ago)
      Updated   YYYY-MM-DD hh:mm:ss (1h ago)
      Version   2 (model version 1)

      State
      {
        "sum": 6,
        "log": [
          "a",
          "b"
        ]
      }
      "
    `);
    expect((await ask(['status', 'counter', 'T1'])).stdout).not.toContain('Past state');
  });

  it('accepts a UTC time, a local time, and a duration before now', async () => {
    const before = Date.now() - 90 * 60_000;
    const local = new Date(before).toLocaleString('sv-SE');
    for (const at of [toIso(before), local, local.replace(' ', 'T'), local.slice(0, 16), 'PT90M']) {
      const { stdout } = await ask(['status', 'counter', 'T1', '--at', at]);
      expect([at, stdout]).toEqual([at, expect.stringContaining('Version   1 ')]);
    }
  });

  it("prints the API's JSON with --json", async () => {
    const { stdout } = await ask(['status', 'counter', 'T1', '--at-version', '1', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ version: 1, asOf: { version: 1 } });
  });

  it.each([
    ['--at', 'yesterday', 'It must be a time'],
    ['--at', '2026-02-30 10:00', 'It must be a time'],
    ['--at', 'P1M', 'months have no fixed length'],
    ['--at', '', 'It must be a time'],
    ['--at-version', '0', 'an integer of at least 1'],
    ['--at-version', 'two', 'an integer of at least 1'],
  ])('rejects %s %j', async (option, value, reason) => {
    const ran = await ask(['status', 'counter', 'T1', option, value]);
    expect(ran).toMatchObject({ status: 2, stderr: expect.stringContaining(reason) });
    expect(asked).toEqual([]);
  });

  it("prints the API's error for a version that does not exist, and rejects a version together with a time", async () => {
    const late = await ask(['status', 'counter', 'T1', '--at-version', '4']);
    expect(late).toMatchObject({ status: 1, stderr: expect.stringContaining('no version 4') });
    const both = await ask(['status', 'counter', 'T1', '--at-version', '1', '--at', 'PT1H']);
    expect(both).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('cannot be used with'),
    });
  });
});

describe('milepost explain', () => {
  const fields = (stdout: string) =>
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/\s{2,}/));

  it('shows each field with the event that set it', async () => {
    await threeVersions();
    const { stdout } = await ask(['explain', 'counter', 'T1']);
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "field   value  v  time                 event  source
      /sum    18     3  YYYY-MM-DD hh:mm:ss  added  till 2
      /log/0  "a"    1  YYYY-MM-DD hh:mm:ss  added  till 0
      /log/1  "b"    2  YYYY-MM-DD hh:mm:ss  added  till 1
      /log/2  "c"    3  YYYY-MM-DD hh:mm:ss  added  till 2
      "
    `);
  });

  it('shows one field as of a past time', async () => {
    await threeVersions();
    for (const part of ['log', '/log']) {
      const { stdout } = await ask(['explain', 'counter', 'T1', part, '--at', 'PT30M']);
      expect(fields(stdout).map(([path]) => path)).toEqual(['field', '/log/0', '/log/1']);
    }
    expect(fields((await ask(['explain', 'counter', 'T1', 'log.1'])).stdout)).toHaveLength(2);
  });

  it('reports a field that never existed', async () => {
    await threeVersions();
    expect(await ask(['explain', 'counter', 'T1', 'nothing'])).toMatchObject({
      status: 0,
      stdout: '',
      stderr: 'The field does not exist and was never set.\n',
    });
  });

  it('follows the cursors of a long history and shows progress', async () => {
    const key = { model: 'counter', transaction: 'T1' };
    const commits = Array.from({ length: 1200 }, (_, n) => {
      const state = JSON.stringify({ sum: n, queue: n < 600 ? ['x', 'old'] : ['old', n] });
      return commitOf(key, n + 1, { state, entries: [entryOf(key, { state }, `e${n}`)] });
    });
    api.instances.putCommits(...commits);
    const { stdout, stderr } = await ask(['explain', 'counter', 'T1'], { columns: 80 });
    expect(
      fields(stdout)
        .slice(1)
        .map(([path, , version]) => [path, version]),
    ).toEqual([
      ['/sum', '1200'],
      ['/queue/0', '1'],
      ['/queue/1', '1200'],
    ]);
    expect(stderr).toContain('read back from version 200');
    const json = await ask(['explain', 'counter', 'T1', '--json']);
    expect(
      json.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toMatchObject([{ asOf: { version: 1200 } }, { asOf: { version: 200 } }]);
    // The first response does not reach the start of the history, so a second request is needed.
    const gone = await ask(['explain', 'counter', 'T1', 'none'], { columns: 80 });
    expect(gone.stderr).toContain('The field does not exist and was never set.');
  });

  it('shows the event that removed a field', async () => {
    const key = { model: 'counter', transaction: 'T1' };
    const states = [{ a: 1, b: '\u001b[31m' }, { a: 1 }].map((state) => JSON.stringify(state));
    api.instances.putCommits(
      ...states.map((state, n) =>
        commitOf(key, n + 1, { state, entries: [entryOf(key, { state })] }),
      ),
    );
    const { stdout } = await ask(['explain', 'counter', 'T1', 'b']);
    expect(fields(stdout)[1]!.slice(0, 3)).toEqual(['/b', 'removed', '2']);
    const before = await ask(['explain', 'counter', 'T1', 'b', '--at-version', '1']);
    expect(before.stdout).toContain(String.raw`"\u001b[31m"`);
  });

  it.each(['/~', '/a~x'])('rejects the field %j', async (part) => {
    const { status, stderr } = await ask(['explain', 'counter', 'T1', part]);
    expect([status, stderr]).toEqual([2, expect.stringContaining('JSON Pointer')]);
  });
});
