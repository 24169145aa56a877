import { describe, expect, it } from 'vitest';
import { instance } from '../../samples.ts';
import { ask, minutesAgo, service, startServicePerTest } from '../../service-per-test.ts';
import { timeless } from '../../timeless.ts';

startServicePerTest();

describe('milepost status', () => {
  it('shows the status, progress, and milestones of an instance', async () => {
    service.data.instances = [
      instance({
        startedAt: minutesAgo(60),
        statusSince: minutesAgo(3),
        updatedAt: minutesAgo(3),
        parked: 2,
        oldestParked: { eventId: 'e7', reason: 'TypeError: boom', at: minutesAgo(3) },
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
      Parked    2 events; to retry: milepost redrive activation ATV-123
      Reason    e7: TypeError: boom
      Since     YYYY-MM-DD hh:mm:ss (3m ago)
      Progress  █████████████░░░░░░░ 66%
      Done      no
      Started   YYYY-MM-DD hh:mm:ss (1h ago)
      Updated   YYYY-MM-DD hh:mm:ss (3m ago)
      Version   3 (model version 1)

      Milestones
      ✔  Received  reached YYYY-MM-DD hh:mm:ss (1h ago)
      !  Verified  late, expected 2h ago
      ○  Closed    pending, likely in 1h (90%: in 3h)

      Timers
      reservation/Fred  due YYYY-MM-DD hh:mm:ss (in 4m)
      "
    `);
  });

  it.each([
    ["Fred's seat; $1", `1 event; to retry: milepost redrive activation 'Fred'\\''s seat; $1'`],
    ['-1', '1 event; to retry: milepost redrive -- activation -1'],
  ])('prints the redrive command for %s with shell quoting', async (transaction, said) => {
    service.data.instances = [instance({ transaction, parked: 1 })];
    const { stdout } = await ask(['status', '--', 'activation', transaction]);
    expect(stdout).toContain(`${said}\n`);
  });

  it('reports an instance as not started if every event was rejected', async () => {
    service.data.instances = [instance({ startedAt: null })];
    const { status, stdout } = await ask(['status', 'activation', 'ATV-123']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Started {3}not yet: no event applied$/m);
  });

  it('shows the reference of the instance', async () => {
    service.data.instances = [instance({ reference: 'R-4711' })];
    const { stdout } = await ask(['status', 'activation', 'ATV-123']);
    expect(stdout).toMatch(/^Reference R-4711$/m);
  });

  it('omits empty sections', async () => {
    service.data.instances = [instance({ progress: null })];
    const { stdout } = await ask(['status', 'activation', 'ATV-123']);
    for (const word of ['Progress', 'Parked', 'Reference', 'Milestones', 'Timers'])
      expect(stdout).not.toContain(word);
  });

  it('shows the state with --state', async () => {
    service.data.instances = [instance({ state: { who: 'Fred\u009b31m' } })];
    const { stdout } = await ask(['status', 'activation', 'ATV-123', '--state']);
    expect(stdout).toContain('\nState\n{\n  "who": "Fred\\u009b31m"\n}\n');
  });

  it('encodes the ids of the instance in the path', async () => {
    service.data.instances = [instance({ transaction: 'a/b?c #%ü' })];
    expect(await ask(['status', 'activation', 'a/b?c #%ü'])).toMatchObject({ status: 0 });
  });

  it('reports that the instance does not exist', async () => {
    const { status, stdout, stderr } = await ask(['status', 'activation', 'ATV-9']);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe('error: no instance activation/ATV-9 (404)\n');
  });
});
