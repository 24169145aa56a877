import { beforeEach, describe, expect, it } from 'vitest';
import type { CliContext } from '../../../../src/cli/context.ts';
import { localTime } from '../../../../src/cli/output/format.ts';
import { run } from '../../run.ts';
import { instance, model } from '../../samples.ts';
import { Screen } from '../../screen.ts';
import { minutesAgo, service, signalSource, startServicePerTest } from '../../service-per-test.ts';
import { problem } from '../../stub-service.ts';
import { timeless } from '../../timeless.ts';

startServicePerTest();
let screen: Screen;
beforeEach(() => {
  service.data.models = [model('activation')];
  service.data.instances = [instance()];
  screen = new Screen();
});

const become = (changes: Record<string, unknown>) => {
  service.data.instances = [instance(changes)];
};
const hangUp = () => {
  service.script = () => 'hang up';
};
const answerAgain = () => {
  service.script = () => undefined;
};

/** Watches ATV-123. Runs one step during each pause and sends Ctrl+C after the last step. */
async function watch(
  steps: readonly (() => unknown)[],
  around: Partial<CliContext> = {},
  argv: readonly string[] = [],
) {
  const signals = signalSource();
  const waits: number[] = [];
  const wait: CliContext['wait'] = (ms, _, options) => {
    const step = steps[waits.length] ?? (() => signals.emit('SIGINT'));
    waits.push(ms);
    step();
    const aborted = options?.signal?.aborted;
    return aborted ? Promise.reject(options?.signal?.reason as Error) : Promise.resolve();
  };
  const command = ['watch', 'activation', 'ATV-123', '--api', service.url, ...argv];
  const ran = await run(command, { wait, signals, ...around });
  return { ...ran, waits };
}

const onScreen = (steps: readonly (() => unknown)[], argv: readonly string[] = []) =>
  watch(steps, { stdout: screen }, argv);
const pass = () => undefined;
/** The screen as a single string, for snapshots. */
const drawn = () => timeless(screen.lines.join('\n'));

const changed = `Updated   ${localTime('2026-01-02T03:04:05Z')}`;

describe('milepost watch on a terminal', () => {
  it('draws the instance and leaves the drawing on the screen', async () => {
    become({
      parked: 1,
      updatedAt: minutesAgo(3),
      milestones: [
        { id: 'a', label: 'Received', state: 'reached', at: minutesAgo(60), expectedBy: null },
        { id: 'b', label: 'Verified', state: 'late', at: null, expectedBy: minutesAgo(120) },
      ],
      timers: [{ name: 'reservation/Fred', dueAt: minutesAgo(-5) }],
    });
    const { status, stderr } = await onScreen([]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(screen.eventNames()).toEqual([]);
    expect(drawn()).toMatchInlineSnapshot(`
      "activation/ATV-123
      Status    Active
      Parked    1 event; to retry: milepost redrive activation ATV-123
      Progress  ██████████████████████████░░░░░░░░░░░░░░ 66%
      Updated   YYYY-MM-DD hh:mm:ss (3m ago)
      Milestones
      ✔  Received  reached YYYY-MM-DD hh:mm:ss (1h ago)
      !  Verified  late, expected 2h ago
      Timers
      reservation/Fred  due YYYY-MM-DD hh:mm:ss (in 4m)
      ▮"
    `);
  });

  it('draws each change in place, below earlier output', async () => {
    screen.write('$ milepost watch\n');
    const seen: string[] = [];
    const updatedAt = minutesAgo(3);
    const timers = [{ name: 'soon', dueAt: minutesAgo(-5) }];
    await onScreen([
      () => become({ status: 'Waiting', progress: 1, timers, updatedAt }),
      () => seen.push(drawn()),
      () => become({ status: 'Ended', progress: null, updatedAt }),
      () => seen.push(drawn()),
    ]);
    expect(seen.join('\n\n')).toMatchInlineSnapshot(`
      "$ milepost watch
      activation/ATV-123
      Status    Waiting
      Progress  ████████████████████████████████████████ 100%
      Updated   YYYY-MM-DD hh:mm:ss (3m ago)
      Timers
      soon  due YYYY-MM-DD hh:mm:ss (in 4m)

      $ milepost watch
      activation/ATV-123
      Status    Ended
      Updated   YYYY-MM-DD hh:mm:ss (3m ago)"
    `);
  });

  it('writes once per drawing and writes nothing if nothing changed', async () => {
    const count = () => screen.writes.length;
    const counts: number[] = [];
    await onScreen([
      () => counts.push(count()),
      () => counts.push(count()),
      () => become({ status: 'Waiting' }),
      () => counts.push(count()),
    ]);
    expect(counts).toEqual([1, 1, 2]);
  });

  it('hides the cursor until Ctrl+C and erases the echo of Ctrl+C', async () => {
    const shown: boolean[] = [];
    const { status } = await onScreen([
      () => shown.push(screen.isCursorShown),
      () => screen.write('^C'),
    ]);
    expect({ status, shown }).toEqual({ status: 0, shown: [false] });
    expect(screen.lines.at(-1)).toBe('▮');
    expect(screen.lines.join()).not.toContain('^C');
  });

  it('shows the cursor while Ctrl+Z suspends the command, and redraws afterward', async () => {
    const signals = signalSource();
    const seen: unknown[] = [];
    await watch(
      [
        () => {
          signals.emit('SIGTSTP');
          seen.push(signals.kill.mock.calls, screen.lines.at(-1));
          screen.write('$ fg\n');
        },
        () => seen.push(screen.isCursorShown, screen.lines),
        () => signals.emit('SIGINT'),
      ],
      { stdout: screen, signals },
    );
    const instanceLines = [
      'activation/ATV-123',
      'Status    Active',
      expect.stringContaining('Progress'),
      expect.stringContaining(changed),
    ];
    expect(seen).toEqual([
      [[4711, 'SIGSTOP']],
      '▮',
      false,
      [...instanceLines, '$ fg', ...instanceLines],
    ]);
  });

  it('shows the cursor again if the service fails', async () => {
    const { status, stderr } = await onScreen([
      () => {
        service.script = () => problem(403, 'not for you');
      },
    ]);
    expect({ status, stderr }).toEqual({ status: 1, stderr: 'error: not for you (403)\n' });
    expect(screen.lines.at(-1)).toBe('▮');
  });

  it.each([40, 25, 12])(
    'leaves no remnants of earlier drawings on a terminal that is resized to %i columns',
    async (columns) => {
      screen.write('before\n');
      become({
        status: 'Waiting for the bank',
        milestones: [{ id: 'a', label: 'A', state: 'late' }],
      });
      await onScreen([() => screen.resize(columns)]);
      const fresh = new Screen(columns);
      fresh.write('before\n');
      await watch([], { stdout: fresh });
      expect(screen.lines).toEqual(fresh.lines);
      expect(fresh.lines.filter((line) => line.length >= columns)).toEqual([]);
    },
  );

  it('immediately uses the full width of an enlarged terminal', async () => {
    screen = new Screen(30);
    const seen: string[] = [];
    const look = () => seen.push(screen.lines.find((line) => line.startsWith('Prog')) ?? '');
    await onScreen([
      look,
      () => {
        screen.resize(90);
        look();
      },
    ]);
    expect(seen.map((line) => line.length)).toEqual([28, 54]);
  });

  it('omits lines that do not fit on a short terminal, but never the last line', async () => {
    screen = new Screen(80, 8);
    const milestones = Array.from({ length: 9 }, (_, i) => ({
      id: i,
      label: `M${i}`,
      state: 'late',
    })).map((each) => ({ ...each, id: String(each.id) }));
    const updatedAt = minutesAgo(3);
    become({ milestones, updatedAt });
    screen.write('before\n');
    await onScreen([() => become({ milestones, status: 'Ended', done: true, updatedAt })]);
    expect(drawn()).toMatchInlineSnapshot(`
      "before
      activation/ATV-123
      Status    Ended
      Progress  ██████████████████████████░░░░░░░░░░░░░░ 66%
      Updated   YYYY-MM-DD hh:mm:ss (3m ago)
      …
      activation/ATV-123 is done
      ▮"
    `);
  });

  it('waits for an instance that does not exist yet, and exits when the instance is done', async () => {
    service.data.instances = [];
    const seen: string[][] = [];
    const { status, waits } = await onScreen([
      () => seen.push(screen.lines),
      () => become({}),
      () => become({ done: true, status: 'Ended' }),
    ]);
    expect(seen).toEqual([['waiting for activation/ATV-123…']]);
    expect({ status, waits }).toEqual({ status: 0, waits: [1000, 1000, 1000] });
    expect(screen.lines).toContain('Status    Ended');
    expect(screen.lines.slice(-2)).toEqual(['activation/ATV-123 is done', '▮']);
  });

  it('reports that the service is unreachable and how soon the next attempt follows', async () => {
    const seen: string[][] = [];
    const look = () => seen.push(screen.lines);
    const { status, waits } = await onScreen([hangUp, look, look, look, pass, pass, answerAgain]);
    expect({ status, waits }).toEqual({ status: 0, waits: Array.from({ length: 8 }, () => 1000) });
    const said = /^retrying in \ds: cannot reach http:/;
    expect(seen.map((lines) => said.exec(lines.at(-1) ?? '')?.[0].slice(0, 14))).toEqual([
      'retrying in 2s',
      'retrying in 1s',
      'retrying in 4s',
    ]);
    expect(seen[0]).toContain('Status    Active');
    expect(screen.lines.join('\n')).not.toContain('retrying in');
  });

  it('escapes control characters of the data', async () => {
    become({ status: 'a\x1b]0;owned\x07' });
    await onScreen([]);
    expect(screen.lines).toContain('Status    a\\x1b]0;owned\\x07');
  });

  it('uses colors unless NO_COLOR is set', async () => {
    await onScreen([]);
    expect(screen.writes.join('')).toContain('\x1b[1mActive');
    screen = new Screen();
    await watch([], { stdout: screen, env: { NO_COLOR: '1' } });
    expect(screen.writes.join('')).not.toContain('\x1b[1m');
  });
});

describe('milepost watch', () => {
  it('prints a line for each change if standard output is not a terminal', async () => {
    const { status, stdout, stderr } = await watch([
      pass,
      () => become({ progress: 0.7, parked: 2 }),
      () => become({ milestones: [{ id: 'v', label: 'Verified', state: 'late' }], progress: null }),
      () => become({ status: 'Ended', progress: 1, done: true }),
    ]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(timeless(stdout)).toMatchInlineSnapshot(`
      "YYYY-MM-DD hh:mm:ss  Active  66%
      YYYY-MM-DD hh:mm:ss  Active  70%  2 parked
      YYYY-MM-DD hh:mm:ss  Active  late: Verified
      YYYY-MM-DD hh:mm:ss  Ended  100%  done
      "
    `);
  });

  it('prints lines on a terminal that cannot move its cursor', async () => {
    await watch([], { stdout: screen, env: { TERM: 'dumb', NO_COLOR: '1' } });
    expect(screen.writes).toEqual([expect.stringMatching(/ {2}Active {2}66%\n$/)]);
  });

  it('prints the JSON of each change on one line with --json', async () => {
    const steps = [pass, () => become({ version: 4, state: { n: '\u009b' } })];
    const { status, stdout } = await watch(steps, {}, ['--json']);
    expect(status).toBe(0);
    expect(stdout).toBe(
      [instance(), instance({ version: 4, state: { n: '\u009b' } })]
        .map((each) => `${JSON.stringify(each)}\n`)
        .join(''),
    );
  });

  it('prints a response of several lines on one line without changing its values', async () => {
    const body = JSON.stringify(instance()).replace('{', '{\r\n "n": 1.10,\n ');
    service.script = () => ({ status: 200, body });
    const { stdout } = await watch([], {}, ['--json']);
    expect(stdout).toBe(`${body.replaceAll(/[\r\n]+/g, ' ')}\n`);
  });

  it('draws nothing on a terminal with --json', async () => {
    await onScreen([], ['--json']);
    expect(screen.writes).toHaveLength(1);
    expect(screen.isCursorShown).toBe(true);
  });

  it('requests changes with the ETag of the previous response', async () => {
    await watch([pass, () => become({ version: 4 }), pass]);
    const [first, second, third, fourth] = service.received.map(({ ifNoneMatch }) => ifNoneMatch);
    expect(first).toBeUndefined();
    expect(second).toMatch(/^".+"$/);
    expect(third).toBe(second);
    expect(fourth).not.toBe(third);
  });

  it('compares responses if they have no ETag', async () => {
    service.hasETags = false;
    const { stdout } = await watch([pass, pass, () => become({ progress: 0.7 })]);
    expect(stdout.match(/Active/g)).toHaveLength(2);
  });

  it.each([
    ['0.2', [200]],
    ['2.5', [1000, 1000, 500]],
  ])('polls again after --interval %s seconds', async (interval, expected) => {
    const steps = expected.map(() => pass);
    const { waits } = await watch(steps, {}, ['--interval', interval]);
    expect(waits.slice(0, expected.length)).toEqual(expected);
    expect(service.received).toHaveLength(2);
  });

  it('prints on standard error that it waits for the instance, and that it retries a request', async () => {
    service.data.instances = [];
    const { status, stdout, stderr } = await watch([
      pass,
      () => become({}),
      hangUp,
      pass,
      pass,
      answerAgain,
    ]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^[^\n]+ {2}Active {2}66%\n$/);
    expect(stderr).toMatch(/^waiting for activation\/ATV-123…\nretrying: cannot reach [^\n]+\n$/);
  });

  it('doubles its pause each time the service is unreachable, up to 30 seconds', async () => {
    const asked: number[] = [];
    let seconds = 0;
    const steps = [
      hangUp,
      ...Array.from({ length: 120 }, () => () => {
        seconds++;
        if (service.received.length > asked.length + 1) asked.push(seconds);
      }),
    ];
    await watch(steps);
    const pauses = asked.map((at, i) => at - (asked[i - 1] ?? 0));
    expect(pauses.slice(1)).toEqual([2, 4, 8, 16, 30, 30]);
  });

  it('waits again if the instance disappears, for example when an in-memory service restarts', async () => {
    const { stdout, stderr } = await watch([
      () => {
        service.data.instances = [];
      },
      () => become({}),
    ]);
    expect(stderr).toBe('waiting for activation/ATV-123…\n');
    expect(stdout.match(/Active/g)).toHaveLength(2);
  });

  it.each([503, 429])('continues if the first response from the service is %i', async (code) => {
    service.script = (_, nth) => (nth === 1 ? problem(code, 'busy') : undefined);
    const { status, stdout, stderr } = await watch([pass, pass]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: `retrying: busy (${code})\n` });
    expect(stdout).toContain('Active');
  });

  it('exits with a one-line error if the model does not exist', async () => {
    const { status, stdout, stderr } = await run(['watch', 'none', 'x', '--api', service.url]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe('error: there is no model none (404)\n');
  });

  it.each(['on a terminal', 'without a terminal'])(
    'exits with a one-line error if the first request cannot reach the service, %s',
    async (where) => {
      hangUp();
      const { status, stderr } = await (where === 'without a terminal' ? watch([]) : onScreen([]));
      expect(status).toBe(1);
      expect(stderr).toMatch(/^error: cannot reach [^\n]+\n$/);
      expect(screen.writes).toEqual([]);
    },
  );

  it('exits on Ctrl+C while it waits for a response', async () => {
    const signals = signalSource();
    service.script = () => {
      setImmediate(() => signals.emit('SIGINT'));
      return 'hang';
    };
    const { status, stdout, stderr } = await watch([], { signals });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});
