import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { Deadline } from '../../src/common/deadline.ts';
import { invokeModel, outOfTimeReason } from '../../src/dispatcher/invoke-model.ts';
import type { EventOutcome, PositionedEvent } from '../../src/model-runtime/protocol.ts';
import { placed } from '../support/data/events.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { answered, StubInvoker } from '../support/models/stub-invoker.ts';

let models: StubInvoker;
/** The ids of the events that the model's function applied, in order. */
let applied: string[];
const poisonous = new Set<string>();

beforeEach(() => {
  models = new StubInvoker();
  applied = [];
  poisonous.clear();
  models.respond = (events) => {
    const ids = events.map(({ event }) => event.id);
    if (ids.some((id) => poisonous.has(id))) return { kind: 'failed', reason: 'it crashed' };
    applied.push(...ids);
    return undefined;
  };
});

const clock = new ManualClock();
const deadline = Deadline.none(clock);
const invoke = (events: readonly PositionedEvent[]) =>
  invokeModel(models, 'arn', events, { deadline });
const twice = (outcome: EventOutcome) => [outcome, outcome];
const outcomesOf = async (events: readonly PositionedEvent[]) =>
  (await invoke(events)).map(({ outcome }) => outcome);
/** Returns events with the given ids. An id consists of a transaction id and a number: `A1` is an event of `A`. */
const named = (...ids: string[]) =>
  ids.map((id, index) => placed(index, { id, transaction: id.replace(/\d+$/, '') }));

describe('invokeModel', () => {
  it('invokes the model once if nothing fails', async () => {
    expect(await outcomesOf(named('A1', 'B1', 'A2'))).toEqual(['applied', 'applied', 'applied']);
    expect(models.ids).toEqual([['A1', 'B1', 'A2']]);
  });

  it('returns the outcomes of the function unchanged', async () => {
    const outcomes: EventOutcome[] = [
      { outcome: 'rejected', reason: 'no' },
      { outcome: 'failed', fault: 'model', reason: 'a bug' },
    ];
    models.respond = () => answered(outcomes);
    expect(await invoke(named('A1', 'A2'))).toEqual(outcomes);
    expect(models.calls).toHaveLength(1);
  });

  it('applies the events of all other instances if one of 64 instances fails', async () => {
    poisonous.add('X1');
    const ids = Array.from({ length: 64 }, (_, i) => (i === 41 ? 'X1' : `I${i}x1`));
    const outcomes = await invoke(named(...ids));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(
      ids.map((id) => (id === 'X1' ? 'failed' : 'applied')),
    );
    const crashed = { outcome: 'failed', fault: 'model', reason: 'it crashed', crashed: true };
    expect(outcomes[41]).toEqual(crashed);
    // One invocation for the whole batch, then one for each of the 64 instances. The invocations with X1 crash.
    expect(models.calls).toHaveLength(65);
  });

  it("applies the events before an instance's failing event but no later event", async () => {
    poisonous.add('A4');
    const outcomes = await outcomesOf(named('A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7'));
    expect(applied).toEqual(['A1', 'A2', 'A3']);
    expect(outcomes).toEqual([
      ...Array<string>(3).fill('applied'),
      ...Array<string>(4).fill('failed'),
    ]);
  });

  it('does not retry when the function is unavailable', async () => {
    models.respond = () => ({ kind: 'unavailable', reason: 'throttled' });
    expect(await invoke(named('A1', 'B1'))).toEqual(
      twice({ outcome: 'failed', fault: 'service', reason: 'throttled' }),
    );
    expect(models.calls).toHaveLength(1);
  });

  it('does not retry an instance if the function becomes unavailable while a failing event is being isolated', async () => {
    models.respond = (events) => {
      if (events.length > 2) return { kind: 'failed', reason: 'too much' };
      return events[0]!.event.id === 'A1'
        ? { kind: 'unavailable', reason: 'throttled' }
        : undefined;
    };
    expect(await outcomesOf(named('A1', 'A2', 'A3', 'B1', 'B2'))).toEqual([
      'failed',
      'failed',
      'failed',
      'applied',
      'applied',
    ]);
    // A2 was in the invocation for the whole batch and in the invocation for A, but not in an invocation of its own.
    expect(models.ids.filter((ids) => ids.includes('A2'))).toHaveLength(2);
  });

  it('sends each event in a separate request with the option `alone`, up to the first failing event of each instance', async () => {
    poisonous.add('A2');
    const events = named('A1', 'A2', 'A3', 'B1');
    const outcomes = await invokeModel(models, 'arn', events, { deadline, alone: true });
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([
      'applied',
      'failed',
      'failed',
      'applied',
    ]);
    expect(new Set(models.ids.flat())).toEqual(new Set(['A1', 'A2', 'B1']));
    expect(models.calls).toHaveLength(3);
  });

  describe('when a request is too large for Lambda', () => {
    const largest = (count: number) => (events: readonly PositionedEvent[]) =>
      events.length > count ? ({ kind: 'too-large', reason: 'too large' } as const) : undefined;

    it('splits the request and keeps the order of the events', async () => {
      models.respond = largest(2);
      const events = named('A1', 'B1', 'A2', 'A3', 'B2', 'A4', 'A5');
      expect(await outcomesOf(events)).toEqual(Array<string>(7).fill('applied'));
      const sent = models.ids.filter((ids) => ids.length <= 2).flat();
      expect(sent).toEqual(events.map(({ event }) => event.id));
    });

    it('sends no more events of an instance that failed in an earlier part of the request', async () => {
      const limit = largest(2);
      const respond = models.respond;
      poisonous.add('A1');
      models.respond = (events, arn) => limit(events) ?? respond(events, arn);
      expect(await outcomesOf(named('A1', 'B1', 'A2', 'B2'))).toEqual([
        'failed',
        'applied',
        'failed',
        'applied',
      ]);
      expect(applied).toEqual(['B1', 'B2']);
    });

    it('sends no more events of an instance whose events are queued behind a parked event', async () => {
      const limit = largest(2);
      models.respond = (events) =>
        limit(events) ??
        answered(
          events.map(({ event }) => ({ outcome: event.id === 'A1' ? 'behind' : 'applied' })),
        );
      const outcomes = await outcomesOf(named('A1', 'B1', 'A2', 'B2'));
      expect(outcomes).toEqual(['behind', 'applied', 'behind', 'applied']);
      expect(models.ids.filter(({ length }) => length <= 2).flat()).not.toContain('A2');
    });

    it('reports an event as failed if a request with only this event is too large', async () => {
      models.respond = largest(0);
      expect(await invoke(named('A1'))).toEqual([
        { outcome: 'failed', fault: 'model', reason: 'too large', crashed: true },
      ]);
    });
  });

  it('splits a batch of thousands of events, as in an aggregated record, and keeps their order', async () => {
    const events = named(...Array.from({ length: 2_500 }, (_, i) => `A${i}`));
    expect(new Set(await outcomesOf(events))).toEqual(new Set(['applied']));
    expect(models.ids.map(({ length }) => length)).toEqual([625, 625, 625, 625]);
    expect(applied).toEqual(events.map(({ event }) => event.id));
  });

  describe("when the dispatcher's time runs out", () => {
    it('starts no invocation and reports a service failure for each event', async () => {
      const past = new Deadline(clock, clock.now());
      expect(await invokeModel(models, 'arn', named('A1', 'B1'), { deadline: past })).toEqual(
        twice({ outcome: 'failed', fault: 'service', reason: outOfTimeReason }),
      );
      expect(models.calls).toHaveLength(0);
    });

    it('stops waiting for a response at the deadline', async () => {
      models.transition = () => new Promise(() => undefined);
      const soon = new Deadline(clock, clock.now() + 60_000);
      const outcomes = clock.runUntil(
        invokeModel(models, 'arn', named('A1', 'B1'), { deadline: soon }),
      );
      expect(await outcomes).toEqual(
        twice({ outcome: 'failed', fault: 'service', reason: outOfTimeReason }),
      );
      expect(clock.now()).toBe(soon.at);
    });

    it("waits for a lost response only slightly longer than the maximum timeout of a model's function", async () => {
      models.transition = () => new Promise(() => undefined);
      const far = new Deadline(clock, clock.now() + 900_000);
      const outcomes = clock.runUntil(invokeModel(models, 'arn', named('A1'), { deadline: far }));
      expect(await outcomes).toEqual([
        {
          outcome: 'failed',
          fault: 'service',
          reason: "the model's function did not respond in time",
        },
      ]);
      expect(far.remaining).toBe(900_000 - 130_000);
    });
  });

  it.each([0, 3])('treats %i outcomes for two events as a model failure', async (count) => {
    models.respond = () => answered(Array.from({ length: count }, () => ({ outcome: 'applied' })));
    const failed = {
      outcome: 'failed',
      fault: 'model',
      reason: expect.stringContaining('a different number of outcomes'),
      crashed: true,
    };
    expect(await invoke(named('A1', 'B1'))).toEqual([failed, failed]);
    expect(models.ids).toEqual([['A1', 'B1'], ['A1'], ['B1']]);
  });

  it('applies every event before the first failing event of its instance, in order', async () => {
    const batch = fc.array(
      fc.record({ instance: fc.constantFrom('A', 'B', 'C', 'D', 'E'), poison: fc.boolean() }),
      { minLength: 1, maxLength: 40 },
    );
    const rare = batch.map((drawn) =>
      drawn.map((each, index) => ({ ...each, poison: each.poison && index % 4 === 0 })),
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(batch, rare), async (drawn) => {
        applied = [];
        poisonous.clear();
        const events = named(...drawn.map(({ instance }, index) => `${instance}${index}`));
        for (const [index, { poison }] of drawn.entries())
          if (poison) poisonous.add(events[index]!.event.id);
        const outcomes = await invoke(events);
        const failing = new Set<string>();
        const expected = events.map(({ event }) => {
          if (poisonous.has(event.id)) failing.add(event.transaction);
          return failing.has(event.transaction) ? 'failed' : 'applied';
        });
        expect(outcomes.map(({ outcome }) => outcome)).toEqual(expected);
        for (const instance of ['A', 'B', 'C', 'D', 'E']) {
          const ofInstance = events.flatMap(({ event }, index) =>
            event.transaction === instance && expected[index] === 'applied' ? [event.id] : [],
          );
          expect(applied.filter((id) => id.startsWith(instance))).toEqual(ofInstance);
        }
      }),
    );
  });
});
