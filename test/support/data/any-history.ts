import fc from 'fast-check';
import { timerEvent } from '../../../src/core/effects/timer.ts';
import type { TrackedEvent } from '../../../src/core/event/event.ts';
import { foldEvent } from '../../../src/core/history/fold.ts';
import { type TimedStatus, timesAfter } from '../../../src/core/history/instance-times.ts';
import type { Snapshot } from '../../../src/core/history/snapshot.ts';
import type { Json } from '../../../src/core/json/json.ts';
import type { Model } from '../../../src/core/model/model.ts';
import type { CurrentInstance, RecordedEvent } from '../../../src/core/replay/replay-result.ts';
import { progressOf } from '../../../src/core/status/milestones.ts';

const text = fc.constantFrom('A', 'B', 'C');
const small = fc.nat(3);
const outcome = fc.record({
  id: fc.constantFrom('e1', 'e2', 'e3'),
  source: text,
  type: fc.constantFrom('activation.requested', 'entitlement.requested'),
  modelid: fc.constant('activation'),
  transactionid: text,
  outcome: fc.constantFrom('applied', 'rejected', 'duplicate'),
  reason: fc.option(text),
  status: text,
});

/** Valid and invalid data of every event type of the shipped models. */
const data: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  'account.created': fc.constant({}),
  'activation.requested': fc.record({ service: text, token: text }, { requiredKeys: [] }),
  'entitlement.requested': fc.record({ service: text, token: text }, { requiredKeys: ['service'] }),
  'event.created': fc.record({ available: small }),
  'tickets.purchased': fc.record({ who: text, qty: small }),
  'tickets.reserved': fc.record({ who: text, qty: small }),
  'payment.authorized': fc.record({ who: text }),
  'payment.declined': fc.record({ who: text }),
  'purchase.acknowledged': fc.record({ who: text, order: text }),
  'purchase.recorded': fc.record({ order: text, event: text, qty: small }),
  'activation.submitted': fc.record({ service: text, device: text, token: text }),
  'outcome.recorded': outcome,
  'work.restarted': fc.constant({}),
  'job.submitted': fc.record({ items: fc.array(small), chunks: fc.integer({ min: 1, max: 3 }) }),
  'chunk.mapped': fc.record({ chunk: small, value: fc.option(small) }) as fc.Arbitrary<Json>,
  'chunk.submitted': fc.record({
    job: text,
    chunk: small,
    items: fc.array(small),
    map: fc.constantFrom('sum', 'min'),
  }),
  'device.added': fc.record({ device: text }),
  'milestone.reached': fc.record({ milestone: fc.constantFrom('received', 'verified', 'closed') }),
  'request.cancelled': fc.record({ reason: text }),
  'documents.requested': fc.constant({}),
  'documents.received': fc.record({ tier: fc.constantFrom('gold', 'silver') }),
  'deadline.extended': fc.record({
    milestone: fc.constantFrom('scheduled', 'closed'),
    by: fc.constantFrom('PT3H', 'P1D'),
  }),
  'session.started': fc.record({ token: text }),
  'session.updated': fc.record({ set: fc.dictionary(text, small) }),
  'session.ended': fc.constant({}),
};

/** A step of an instance: an event, or the firing of its next timer. */
type Happening = { readonly type: string; readonly data: Json; readonly seconds: number } | 'fires';

/** Arbitrary steps of an instance of a model. */
export function anyHappenings(model: Model): fc.Arbitrary<Happening[]> {
  const types = Object.keys(model.events).filter((type) => type !== 'timer.fired');
  const event = fc.constantFrom(...types).chain((type) => {
    if (!data[type]) throw new Error(`events of type ${type} need an entry in \`data\``);
    return fc.record({ type: fc.constant(type), data: data[type], seconds: fc.nat(4000) });
  });
  const fires = fc.constant('fires' as const);
  return fc.array(fc.oneof({ weight: 4, arbitrary: event }, { weight: 1, arbitrary: fires }), {
    minLength: 1,
    maxLength: 15,
  });
}

/** Folds the steps with a model. Returns the history and the instance after it. */
export function historyOf(model: Model, happenings: readonly Happening[]) {
  const instance = { model: model.id, transaction: 'T1' };
  const recorded: RecordedEvent[] = [];
  let before: Snapshot | undefined;
  let now = Date.UTC(2026, 0, 1);
  for (const [index, happening] of happenings.entries()) {
    let event: TrackedEvent;
    if (happening === 'fires') {
      const timer = before?.timers[0];
      if (!timer) continue;
      event = { ...instance, ...(timerEvent(instance, timer) as unknown as TrackedEvent) };
    } else {
      now += happening.seconds * 1000;
      const time = new Date(now).toISOString();
      const { type, data } = happening;
      event = { ...instance, id: `e${index}`, source: 'test', type, time, data };
    }
    const { outcome, reason, after } = foldEvent(model, before, event);
    before = after;
    const { status } = after.description;
    recorded.push({
      version: index + 1,
      at: event.time,
      event,
      outcome,
      reason,
      status,
      state: after.json,
    });
  }
  const known = before && knownOf(model, before, recorded);
  return { recorded, known };
}

function knownOf(
  model: Model,
  { description, timers }: Snapshot,
  recorded: readonly RecordedEvent[],
): CurrentInstance {
  let times: TimedStatus | undefined;
  for (const each of recorded) times = timesAfter(times, each, each.at);
  const { startedAt, statusSince } = times!;
  return {
    version: recorded.at(-1)!.version,
    times: { startedAt, statusSince },
    done: description.done ?? false,
    progress: progressOf(model.milestones, description),
    timers: timers.map(({ name, dueAt }) => ({ name, dueAt })),
  };
}
