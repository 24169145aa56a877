import { beforeEach, describe, expect, it } from 'vitest';
import { toIso } from '../../../src/core/time/timestamp.ts';
import { commitOf } from '../../support/data/commits.ts';
import { placed } from '../../support/data/events.ts';
import { problem } from '../../support/data/problem.ts';
import { registryEntry } from '../../support/models/registry-entry.ts';
import { MemoryApi } from '../../support/service/memory-api.ts';

const path = '/api/instances/counter/T1';
const start = Date.UTC(2026, 0, 1);
const second = (n: number, ms = 0) => toIso(start + n * 1000 + ms);

let api: MemoryApi;
beforeEach(async () => {
  api = new MemoryApi();
  await api.apply(placed(1, { id: 'a' }));
  await api.clock.advance(1000);
  await api.apply(
    placed(2, { id: 'b', data: { n: 20 }, time: second(1) }),
    placed(3, { id: 'c', data: { n: 1 }, time: second(1) }),
  );
  await api.clock.advance(1000);
  await api.apply(placed(4, { id: 'd', data: { n: 5 }, time: second(2) }));
});

describe('GET /api/instances/{model}/{transaction}?version=', () => {
  it('returns the instance after the commit with the given version', async () => {
    expect(await api.get(`${path}?version=2`)).toMatchObject({ status: 200 });
    expect((await api.get(`${path}?version=2`)).body).toEqual({
      model: 'counter',
      modelVersion: 1,
      transaction: 'T1',
      version: 2,
      status: 'High',
      done: false,
      progress: null,
      startedAt: second(0),
      updatedAt: second(1),
      statusSince: second(1),
      milestones: [],
      timers: [],
      state: { sum: 22, log: ['a', 'b', 'c'] },
      asOf: { version: 2, at: second(1) },
    });
    const first = await api.get(`${path}?version=1`);
    expect(first.body).toMatchObject({ version: 1, status: 'Low', state: { sum: 1 } });
  });

  it.each([
    ['4', 'counter/T1 has no version 4; it has versions 1 to 3'],
    ['9999999999', 'versions 1 to 3'],
  ])('responds with 404 to the nonexistent version %s', async (version, detail) => {
    expect(await api.get(`${path}?version=${version}`)).toMatchObject(problem(404, detail));
  });

  it('responds with 404 to a version whose commit is missing, and names a later version', async () => {
    api.instances.deleteCommit({ model: 'counter', transaction: 'T1', version: 2 });
    expect(await api.get(`${path}?version=2`)).toMatchObject(
      problem(500, 'counter/T1 has damaged data: commit 2 is missing, but commit 3 exists'),
    );
  });

  it.each(['', '0', '-1', '1.5', 'x', '1e1', '%201', '99999999999'])(
    'responds with 400 to the version %j',
    async (version) => {
      expect(await api.get(`${path}?version=${version}`)).toMatchObject(problem(400, 'version'));
    },
  );

  it('responds with 404 if the instance does not exist or has no commits', async () => {
    const none = await api.get('/api/instances/counter/nobody?version=1');
    expect(none).toMatchObject(problem(404, 'there is no instance counter/nobody'));
    const { event, position } = placed(1, { transaction: 'parked' });
    const rest = { reason: 'r', fault: true, at: event.time, letterId: 'l' };
    await api.instances.parking.park([{ event, position, ...rest }]);
    for (const query of ['version=1', `at=${second(0)}`])
      expect(await api.get(`/api/instances/counter/parked?${query}`)).toMatchObject(
        problem(404, 'no version yet'),
      );
  });
});

describe('GET /api/instances/{model}/{transaction}?at=', () => {
  const at = async (time: string) => {
    const { body } = await api.get<{ version: number; asOf: object }>(
      `${path}?at=${encodeURIComponent(time)}`,
    );
    return [body.version, body.asOf];
  };

  it('returns the state that was recorded by the given time', async () => {
    expect(await at(second(0))).toEqual([1, { version: 1, at: second(0) }]);
    expect(await at(second(0, 999))).toEqual([1, { version: 1, at: second(0, 999) }]);
    expect(await at(second(1))).toEqual([2, { version: 2, at: second(1) }]);
    expect(await at(second(2))).toEqual([3, { version: 3, at: second(2) }]);
  });

  it('accepts any RFC 3339 time, truncated to milliseconds', async () => {
    expect(await at('2026-01-01T01:00:00.9999+01:00')).toEqual([
      1,
      { version: 1, at: second(0, 999) },
    ]);
  });

  it('responds with 404 to a time before the first commit', async () => {
    const answer = await api.get(`${path}?at=${second(0, -1)}`);
    expect(answer).toMatchObject(
      problem(
        404,
        `counter/T1 did not exist at that time: its first event was recorded at ${second(0)}`,
      ),
    );
  });

  it('responds with 404 to a time after an event happened but before the event was recorded', async () => {
    await api.apply(placed(9, { transaction: 'T2', time: second(0) }));
    const answer = await api.get(`/api/instances/counter/T2?at=${second(1)}`);
    expect(answer).toMatchObject(problem(404, `its first event was recorded at ${second(2)}`));
  });

  it.each(['', 'yesterday', '2026-01-01', '2026-02-30T00:00:00Z', '2026-01-01T00:00:00'])(
    'responds with 400 to the time %j',
    async (time) => {
      expect(await api.get(`${path}?at=${time}`)).toMatchObject(problem(400, 'RFC 3339'));
    },
  );

  it('responds with 404 to a time in the future', async () => {
    const at = second(2, 1);
    expect(await api.get(`${path}?at=${at}`)).toMatchObject(
      problem(404, `in the future; got ${at}`),
    );
  });

  it('responds with 400 to a version combined with a time', async () => {
    expect(await api.get(`${path}?at=${second(1)}&version=1`)).toMatchObject(
      problem(400, 'cannot be combined'),
    );
  });

  it.each(['version=1&asOfEventTime', 'at=2026-01-01T00:00:01Z&asOfEventTime'])(
    'responds with 400 to an event time combined with a version or a time: %s',
    async (query) => {
      expect(await api.get(`${path}?${query}=${second(1)}`)).toMatchObject(
        problem(400, '`version`, `at`, and `asOfEventTime` cannot be combined'),
      );
    },
  );

  it('shows which milestones were late and which timers were running at the given time or version', async () => {
    const milestones = [{ id: 'paid', label: 'Paid' }];
    api.models.register(registryEntry('counter', { milestones }));
    const key = { model: 'counter', transaction: 'T2' };
    const expected = { status: 'Low', milestones: [{ id: 'paid', expectedBy: second(1) }] };
    const paid = { status: 'Low', milestones: [{ id: 'paid', at: second(3) }] };
    const timers = [{ name: 'soon', dueAt: second(9), run: 'r' }];
    api.instances.putCommits(
      commitOf(key, 1, { at: second(0), description: expected, timers }),
      commitOf(key, 2, { at: second(3), description: paid }),
    );
    await api.clock.advance(5000);
    const shown = async (query: string) =>
      (
        await api.get<{ milestones: { state: string }[]; timers: object[] }>(
          `/api/instances/counter/T2${query}`,
        )
      ).body;
    const stateOf = async (query: string) => (await shown(query)).milestones[0]?.state;
    expect(await stateOf(`?at=${second(1)}`)).toBe('current');
    expect(await stateOf(`?at=${second(2)}`)).toBe('late');
    expect(await stateOf('?version=1')).toBe('current');
    expect(await stateOf(`?at=${second(3)}`)).toBe('reached');
    expect((await shown('?version=1')).timers).toEqual([{ name: 'soon', dueAt: second(9) }]);
    expect((await shown('?version=2')).timers).toEqual([]);
  });
});

describe('GET /api/instances/{model}/{transaction}?asOfEventTime=', () => {
  const late = '/api/instances/counter/late';
  const at = (time: string, from = late) => api.get(`${from}?asOfEventTime=${time}`);

  beforeEach(async () => {
    api.models.register(registryEntry('counter'));
    const events = [
      { id: 'b', time: second(-20), data: { n: 20 } },
      { id: 'a', time: second(-30) },
    ];
    for (const [index, more] of events.entries())
      await api.apply(placed(10 + index, { transaction: 'late', ...more }));
  });

  it('returns the instance with the events that had happened by the given time', async () => {
    expect(await at(second(-30))).toMatchObject({
      status: 200,
      body: {
        ...{ status: 'Low', version: 2, state: { sum: 1, log: ['a'] } },
        ...{ startedAt: second(-30), statusSince: second(-30), updatedAt: second(2) },
        asOf: { version: 2, eventTime: second(-30) },
      },
    });
    expect((await at(second(-20))).body).toMatchObject({ status: 'High', state: { sum: 21 } });
  });

  it('returns a state for a time before the first commit, to which `at` responds with 404', async () => {
    expect(await at(second(1))).toMatchObject({ status: 200, body: { state: { sum: 21 } } });
    expect(await api.get(`${late}?at=${second(1)}`)).toMatchObject(
      problem(404, `its first event was recorded at ${second(2)}`),
    );
  });

  it('responds with 404 to a time before the start or in the future, and if the instance has not started or does not exist', async () => {
    expect(await at(second(-31))).toMatchObject(
      problem(404, `counter/late had not started at this event time: it started at ${second(-30)}`),
    );
    await api.apply(placed(20, { transaction: 'refused', data: { n: -1 } }));
    expect(await at(second(1), '/api/instances/counter/refused')).toMatchObject(
      problem(404, 'no event has been applied to it yet'),
    );
    expect(await at(second(3))).toMatchObject(problem(404, 'must not be in the future'));
    expect(await at(second(1), '/api/instances/counter/nobody')).toMatchObject(
      problem(404, 'there is no instance counter/nobody'),
    );
  });

  it('responds with 400 to an invalid time', async () => {
    expect(await at('yesterday')).toMatchObject(
      problem(400, '`asOfEventTime` must be an RFC 3339'),
    );
  });

  it('responds with 409 if the model cannot fold the events, and with 503 if the model is unavailable', async () => {
    api.auditor.fails = { kind: 'failed', reason: 'fold-until not supported' };
    expect(await at(second(-30))).toMatchObject(problem(409, 'not supported'));
    api.auditor.fails = { kind: 'unavailable', reason: 'throttled' };
    expect(await at(second(-30))).toMatchObject(problem(503, 'throttled'));
  });

  it('responds with 409 if the model was removed', async () => {
    api.models.unregister('counter');
    expect(await at(second(-30))).toMatchObject(
      problem(409, 'the model counter is not registered'),
    );
  });
});
