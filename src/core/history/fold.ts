import { checkEffects, effectsViolation } from '../effects/check-effects.ts';
import type { Effect, OutgoingEffect } from '../effects/effect.ts';
import { isForgedOutcome } from '../effects/outgoing-event.ts';
import { isClockEvent, isTimerEvent, timersAfter, withoutFiredTimer } from '../effects/timer.ts';
import type { TrackedEvent } from '../event/event.ts';
import { parseJson } from '../json/parse-json.ts';
import { type Decision, type Model, reject, type TransitionContext } from '../model/model.ts';
import { callModel, InvalidResultError, toModelFault } from '../model/model-fault.ts';
import { storedReason } from './reason.ts';
import {
  maximumStateBytes,
  restoreSnapshot,
  type SerializedState,
  type Snapshot,
  serialize,
  snapshotOf,
  stateSizeViolation,
  withoutMilestones,
} from './snapshot.ts';
import { validateData } from './validate-data.ts';

/** The snapshot before an event. An initial state is described only if the first event is rejected. */
type StateBefore = Omit<Snapshot, 'description'> & Partial<Pick<Snapshot, 'description'>>;

/** An event with its outcome and the snapshot after it. */
export interface FoldStep {
  readonly event: TrackedEvent;
  /** The event's data before validation, as JSON. */
  readonly data: string;
  readonly outcome: 'applied' | 'rejected';
  readonly reason: string | null;
  /** The events and notifications that the instance sends because of the event. */
  readonly effects: readonly OutgoingEffect[];
  readonly after: Snapshot;
}

/**
 * Applies one event: `f(event, state) -> state'`, or a rejection that leaves the state unchanged.
 *
 * @param before the snapshot before the event; undefined for the first event of an instance.
 * @param event the event to apply. If the event comes from the clock, its timer must be running: see
 *   `isStaleTimerEvent`.
 * @param recordedAt the `at` of the event's commit, RFC 3339 in UTC. Default: the event's own time.
 * @throws MilepostError `model-fault` if the model's code throws or returns an invalid decision, state, effect,
 *   description, or key; `cause` is the original error.
 */
export function foldEvent(
  model: Model,
  before: Snapshot | undefined,
  event: TrackedEvent,
  recordedAt = event.time,
): FoldStep {
  const data = JSON.stringify(event.data);
  try {
    // Pass a copy of the data because the model may mutate it and the event may have to be folded again.
    const handed = { ...event, data: parseJson(data) };
    const start: StateBefore = before
      ? // A timer fires only once, even if the model rejects the event.
        { ...before, timers: withoutFiredTimer(before.timers, event) }
      : { ...initialState(model, handed), timers: [], isStarted: false };
    const decision = decide(model, start, handed, { first: before === undefined, recordedAt });
    if (!decision.accepted) return rejected(model, event, data, decision.reason, start);
    const effects = checkEffects(decision.effects ?? []);
    const timers = timersAfter(start.timers, effects, event);
    const after = snapshotOf(model, decision.state, timers, start.description);
    const reason = stateSizeViolation(model, after) ?? effectsViolation(effects, event);
    if (reason) return rejected(model, event, data, reason, start);
    return {
      event,
      data,
      outcome: 'applied',
      reason: null,
      effects: effects.filter(isOutgoing),
      after,
    };
  } catch (error) {
    throw toModelFault(model, `on ${event.type} ${event.id}`, error);
  }
}

function rejected(
  model: Model,
  event: TrackedEvent,
  data: string,
  reason: string,
  { json, description, timers, isStarted }: StateBefore,
): FoldStep {
  // Parse the state again because the model may have mutated it before it rejected the event.
  const after = description
    ? restoreSnapshot({ json, description, timers, isStarted })
    : withoutMilestones(snapshotOf(model, parseJson(json), timers));
  return { event, data, outcome: 'rejected', reason: storedReason(reason), effects: [], after };
}

const isOutgoing = (effect: Effect): effect is OutgoingEffect =>
  effect.kind === 'emit' || effect.kind === 'notify';

function decide(
  model: Model,
  start: StateBefore,
  event: TrackedEvent,
  context: TransitionContext,
): Decision<unknown> {
  if (isTimerEvent(event) && !isClockEvent(event))
    return reject(`only Milepost's clock sends ${event.type}`);
  if (isForgedOutcome(event))
    return reject(`only Milepost sends ${event.type}, but the source is "${event.source}"`);
  const schema = Object.hasOwn(model.events, event.type) ? model.events[event.type] : undefined;
  if (!schema) return reject(`the model does not accept events of type ${event.type}`);
  const checked = validateData(schema, event, model);
  if ('reason' in checked) return reject(checked.reason);
  const decision: unknown = callModel('transition', () =>
    model.transition({ ...event, data: checked.value }, start.state, context),
  );
  if (isDecision(decision)) return decision;
  throw new InvalidResultError('transition must return accept(state) or reject(reason)');
}

function isDecision(value: unknown): value is Decision<unknown> {
  if (typeof value !== 'object' || value === null || !('accepted' in value)) return false;
  return value.accepted === true
    ? 'state' in value
    : value.accepted === false && 'reason' in value && typeof value.reason === 'string';
}

function initialState(model: Model, event: TrackedEvent): SerializedState {
  const initial = serialize(callModel('initial', () => model.initial(event)));
  const bytes = Buffer.byteLength(initial.json);
  if (bytes <= maximumStateBytes) return initial;
  throw new RangeError(
    `initial returned a state of ${bytes} bytes; the limit is ${maximumStateBytes}`,
  );
}
