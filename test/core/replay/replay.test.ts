import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { activation } from '../../../models/activation/model.ts';
import { customer } from '../../../models/customer/model.ts';
import { mapChunk } from '../../../models/map-chunk/model.ts';
import { mapReduce } from '../../../models/map-reduce/model.ts';
import { newDevice } from '../../../models/new-device/model.ts';
import { offers } from '../../../models/offers/model.ts';
import { serviceRequest } from '../../../models/service-request/model.ts';
import { session } from '../../../models/session/model.ts';
import { tickets } from '../../../models/tickets/model.ts';
import { startTimer } from '../../../src/core/effects/effect.ts';
import { timerFired } from '../../../src/core/effects/timer.ts';
import type { TrackedEvent } from '../../../src/core/event/event.ts';
import { foldEvent } from '../../../src/core/history/fold.ts';
import { defineModel } from '../../../src/core/model/define-model.ts';
import { accept, type Model, reject } from '../../../src/core/model/model.ts';
import { defineProcess } from '../../../src/core/process/define-process.ts';
import { Replay } from '../../../src/core/replay/replay.ts';
import { type CurrentInstance, isDifferent } from '../../../src/core/replay/replay-result.ts';
import { anyHappenings, historyOf } from '../../support/data/any-history.ts';
import { counter } from '../../support/models/counter-model.ts';

const shipped = [
  ...[activation, customer, mapChunk, mapReduce, newDevice],
  ...[offers, serviceRequest, session, tickets],
] as unknown as Model[];

type Event = Parameters<typeof historyOf>[1][number];
const event = (type: string, data: TrackedEvent['data'] = {}): Event => ({
  type,
  data,
  seconds: 1,
});
const added = (n: number) => event('added', { n });

/** Replays a history of `model` with `candidate` and returns the result. */
function replayed(
  model: Model,
  happenings: readonly Event[],
  candidate: Model,
  known?: CurrentInstance,
) {
  const history = historyOf(model, happenings);
  const replay = new Replay(candidate);
  for (const each of history.recorded) replay.add(each);
  return replay.result(known ?? history.known);
}

/** Returns the counter model with some functions replaced. */
const counterWith = (parts: object): Model => ({ ...counter, ...parts });

describe('a replay of a history', () => {
  it.each(shipped.map((model) => [model.id, model] as const))(
    'does not differ if the model is the same: %s',
    (_, model) => {
      fc.assert(
        fc.property(anyHappenings(model), (happenings) => {
          const result = replayed(model, happenings, model);
          expect(result).toEqual({
            events: expect.any(Number),
            turned: [],
            turns: 0,
            isForgotten: false,
          });
        }),
        { numRuns: 40 },
      );
    },
  );

  it('reports the first event after which the state differs, and the paths that differ', () => {
    const doubling = counterWith({
      transition: (
        { data, id }: { data: { n: number }; id: string },
        { sum, log }: { sum: number; log: string[] },
      ) => accept({ sum: sum + (id === 'e0' ? 1 : 2) * data.n, log: [...log, id] }),
    });
    const result = replayed(counter, [added(1), added(2), added(3)], doubling);
    expect(result.state).toEqual({
      since: expect.objectContaining({ id: 'e1', type: 'added', version: 2 }),
      changes: [{ path: '/sum', before: 6, after: 11 }],
      more: false,
    });
    expect(result.status).toEqual({ before: 'Low', after: 'High' });
  });

  it('reports no difference if the states differ only in the order of members', () => {
    const turned = counterWith({
      initial: () => ({ log: [], sum: 0 }),
      transition: (each: { data: { n: number }; id: string }, { sum, log }: never) =>
        accept({ log: [...(log as string[]), each.id], sum: (sum as number) + each.data.n }),
    });
    expect(isDifferent(replayed(counter, [added(1), added(2)], turned))).toBe(false);
  });

  it('reports newly rejected events, newly applied events, and changed reasons', () => {
    const strict = counterWith({
      transition({ data }: { data: { n: number } }, state: { sum: number }) {
        if (data.n === -2) return reject('minus two');
        return data.n > 5 ? reject('too many') : accept({ ...state, sum: state.sum + data.n });
      },
    });
    const { turned, turns } = replayed(counter, [added(6), added(-1), added(-2)], strict);
    expect(turns).toBe(3);
    expect(turned).toMatchObject([
      { turn: 'rejected', event: { id: 'e0' }, before: null, after: 'too many' },
      { turn: 'applied', event: { id: 'e1' }, before: 'below zero', after: null },
      { turn: 'reason', event: { id: 'e2' }, before: 'below zero', after: 'minus two' },
    ]);
  });

  it('stops at the event that the model fails on, and counts the events after it', () => {
    const failing = counterWith({
      transition({ data }: { data: { n: number } }, state: object) {
        if (data.n === 2) throw new Error('no twos');
        return accept(state);
      },
    });
    const result = replayed(counter, [added(0), added(2), added(1), added(1)], failing);
    expect(result.fault).toEqual({
      event: expect.objectContaining({ id: 'e1', version: 2 }),
      reason: 'no twos',
      behind: 2,
    });
    expect(result).not.toHaveProperty('state');
    expect(result.events).toBe(4);
  });

  it('lists the first twenty events with a different outcome and counts all such events', () => {
    const happenings = Array.from({ length: 60 }, () => added(1));
    const refusing = counterWith({ transition: () => reject('no') });
    const { turned, turns } = replayed(counter, happenings, refusing);
    expect([turned.length, turns]).toEqual([20, 60]);
  });

  it('truncates long values', () => {
    const filler = 'y'.repeat(10_000);
    const other = counterWith({ transition: () => accept({ sum: 1, log: [], filler }) });
    const { state } = replayed(counter, [added(1)], other);
    const [change] = state!.changes.filter(({ path }) => path === '/filler');
    expect(JSON.stringify(change).length).toBeLessThan(250);
  });

  it('compares its result with the current instance only if the instance has the version of the last event', () => {
    const known: CurrentInstance = {
      version: 1,
      done: true,
      progress: 1,
      timers: [],
      times: {
        startedAt: '2026-01-02T00:00:00.000Z',
        statusSince: '2026-01-02T00:00:00.000Z',
      },
    };
    expect(replayed(counter, [added(1)], counter, known)).toMatchObject({
      done: { before: true, after: false },
      progress: { before: 1, after: null },
      times: {
        before: known.times,
        after: { startedAt: '2026-01-01T00:00:01.000Z', statusSince: '2026-01-01T00:00:01.000Z' },
      },
    });
    const later = { ...known, version: 2 };
    expect(isDifferent(replayed(counter, [added(1)], counter, later))).toBe(false);
  });
});

describe('timers in a replay', () => {
  const waiting = (name: string): Model =>
    defineModel({
      id: 'waiting',
      title: 'Waits',
      statuses: ['Open', 'Over'],
      events: { asked: v.object({}), 'timer.fired': timerFired },
      initial: () => ({ over: false }),
      transition: (each, state) =>
        each.type === 'asked'
          ? accept(state, startTimer(name, '2026-02-01T00:00:00.000Z'))
          : accept({ over: true }),
      describe: ({ over }) => ({ status: over ? 'Over' : 'Open' }),
    }) as unknown as Model;

  it('fire as before if the candidate also runs them', () => {
    const result = replayed(waiting('a'), [event('asked'), 'fires'], waiting('a'));
    expect(isDifferent(result)).toBe(false);
  });

  it('do not fire if the candidate runs different timers', () => {
    const result = replayed(waiting('a'), [event('asked'), 'fires'], waiting('b'));
    expect(result).toMatchObject({
      turned: [{ turn: 'over', event: { type: 'timer.fired' } }],
      status: { before: 'Over', after: 'Open' },
      timers: { before: [], after: [{ name: 'b', dueAt: '2026-02-01T00:00:00.000Z' }] },
    });
  });
});

describe('personal data in a replay', () => {
  const person = (sensitive?: Model['sensitive']): Model =>
    defineModel({
      id: 'person',
      title: 'A person',
      statuses: ['Known'],
      events: { named: v.object({ name: v.string() }) },
      sensitive,
      initial: () => ({}),
      transition: ({ data }) => accept({ name: data.name }),
      describe: () => ({ status: 'Known' }),
    }) as unknown as Model;
  const personal = { state: ['name'], events: { named: ['name'] } };
  const shouting: Model = {
    ...person(personal),
    transition: ({ data }) => accept({ name: (data as { name: string }).name.toUpperCase() }),
  };

  it('is never shown, even if it differs, and only its path is reported', () => {
    const { state } = replayed(person(), [event('named', { name: 'Ann' })], shouting);
    expect(state!.changes).toEqual([{ path: '/name' }]);
  });

  it('is not compared if it was erased', () => {
    const { recorded, known } = historyOf(person(), [event('named', { name: 'Ann' })]);
    const replay = new Replay(person(personal));
    for (const each of recorded)
      replay.add({
        ...each,
        event: { ...each.event, data: { name: null } },
        state: '{"name":null}',
      });
    const result = replay.result(known);
    expect(result.isForgotten).toBe(true);
    expect(isDifferent(result)).toBe(false);
  });
});

describe('a replay of an event from a producer whose clock is ahead', () => {
  const order = defineProcess({
    id: 'order',
    milestones: [
      { id: 'paid', label: 'Paid', on: 'paid' },
      { id: 'sent', label: 'Sent', expectedWithin: 'PT8H' },
    ],
  }) as unknown as Model;

  it('does not differ, because the event is folded with the time of its commit', () => {
    const paid = {
      ...{ id: 'a', source: 's', type: 'paid', model: 'order', transaction: 'T1', data: {} },
      time: '2030-01-01T00:00:00.000Z',
    };
    const at = '2026-01-01T00:00:00.000Z';
    const { outcome, reason, after } = foldEvent(order, undefined, paid, at);
    expect(after.timers).toMatchObject([{ dueAt: '2026-01-01T08:00:00.000Z' }]);
    const replay = new Replay(order);
    const { status } = after.description;
    replay.add({ version: 1, at, event: paid, outcome, reason, status, state: after.json });
    expect(isDifferent(replay.result())).toBe(false);
    expect(replay.snapshot?.timers).toEqual(after.timers);
  });
});

describe('a replay of a rebuilt history', () => {
  const rebuilt = (version: number, state: string, status: string) => ({
    version,
    at: '2026-01-01T00:00:00.000Z',
    event: {
      ...{ id: 'r', source: 'milepost:api', type: 'milepost.rebuild', model: 'counter' },
      ...{ transaction: 'T1', time: '2026-01-01T00:00:00.000Z', data: {} },
    },
    outcome: 'applied' as const,
    reason: null,
    status,
    state,
  });
  const refusing = counterWith({ transition: () => reject('no') });

  it('does not differ if the rebuild and the model lead to the same state', () => {
    const { recorded } = historyOf(counter, [added(1), added(2)]);
    const replay = new Replay(refusing);
    for (const each of [...recorded, rebuilt(3, '{"sum":0,"log":[]}', 'Low')]) replay.add(each);
    expect(isDifferent(replay.result())).toBe(false);
  });

  it('differs starting with the rebuild if the rebuild led to a different state', () => {
    const { recorded } = historyOf(counter, [added(1)]);
    const replay = new Replay(counter);
    for (const each of [...recorded, rebuilt(2, '{"sum":5,"log":[]}', 'High')]) replay.add(each);
    expect(replay.result()).toMatchObject({
      state: { since: { type: 'milepost.rebuild', version: 2 } },
      status: { before: 'High', after: 'Low' },
    });
  });
});
