import type { StandardSchemaV1 } from '@standard-schema/spec';
import { issuePath, issueText } from '../../common/schema-issues.ts';
import { checkEffects, effectsViolation } from '../effects/check-effects.ts';
import type { Effect, OutgoingEffect } from '../effects/effect.ts';
import { isForgedOutcome } from '../effects/outgoing-event.ts';
import { isClockEvent, isTimerEvent, timersAfter, withoutFiredTimer } from '../effects/timer.ts';
import type { TrackedEvent } from '../event/event.ts';
import { jsonSchemaOf } from '../json/json-schema-of.ts';
import { parseJson } from '../json/parse-json.ts';
import { type Decision, type Model, reject } from '../model/model.ts';
import { callModel, toModelFault } from '../model/model-fault.ts';
import { declaredPrefix } from '../model/schema-fields.ts';
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

/** The start of a reason that a data schema gave. */
export const schemaReasonPrefix = 'data: ';

/** What an event finds; nobody has to know what a model's first state means, unless it stays so. */
type StateBefore = Omit<Snapshot, 'description'> & Partial<Pick<Snapshot, 'description'>>;

/** What became of one event. */
export interface FoldStep {
  readonly event: TrackedEvent;
  /** The event's data as JSON, as it came. */
  readonly data: string;
  readonly outcome: 'applied' | 'rejected';
  readonly reason: string | null;
  /** What it has the instance send. */
  readonly effects: readonly OutgoingEffect[];
  readonly after: Snapshot;
}

/**
 * Applies one event: `f(e, m) -> m'`, or a rejection that leaves `m` as it was.
 *
 * @param before undefined for an instance's first event.
 * @param event one of the clock's has to be that of a timer that runs: see `isStaleTimerEvent`.
 * @throws MilepostError `model-fault` when the model's code throws, or returns
 *   what is no decision, no JSON, no effect or no description; `cause` holds what it threw.
 */
export function foldEvent(
  model: Model,
  before: Snapshot | undefined,
  event: TrackedEvent,
): FoldStep {
  const data = JSON.stringify(event.data);
  try {
    // The model may change what it is handed, and the event may have to be folded again.
    const handed = { ...event, data: parseJson(data) };
    const start: StateBefore = before
      ? // Whatever the model makes of it: a timer fires once.
        { ...before, timers: withoutFiredTimer(before.timers, event) }
      : { ...initialState(model, handed), timers: [], isStarted: false };
    const decision = decide(model, start, handed, before === undefined);
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
  // The model was handed the state itself and may have changed it before it refused.
  const after = description
    ? restoreSnapshot(json, description, timers, isStarted)
    : withoutMilestones(snapshotOf(model, parseJson(json), timers));
  return { event, data, outcome: 'rejected', reason: storedReason(reason), effects: [], after };
}

const isOutgoing = (effect: Effect): effect is OutgoingEffect =>
  effect.kind === 'emit' || effect.kind === 'notify';

function decide(
  model: Model,
  start: StateBefore,
  event: TrackedEvent,
  first: boolean,
): Decision<unknown> {
  if (isTimerEvent(event) && !isClockEvent(event))
    return reject(`${event.type} is for Milepost's own clock to say`);
  if (isForgedOutcome(event))
    return reject(`only Milepost sends ${event.type}, and the source is "${event.source}"`);
  const schema = Object.hasOwn(model.events, event.type) ? model.events[event.type] : undefined;
  if (!schema) return reject(`the model takes no event of type ${event.type}`);
  const checked = validate(schema, event);
  if (checked.issues) return reject(reasonFromIssues(checked.issues, schema, model));
  const decision: unknown = callModel('transition', () =>
    model.transition({ ...event, data: checked.value }, start.state, { first }),
  );
  if (isDecision(decision)) return decision;
  throw new TypeError('transition must return accept(state) or reject(reason)');
}

function validate(
  schema: StandardSchemaV1,
  { type, data }: TrackedEvent,
): StandardSchemaV1.Result<unknown> {
  return callModel(`the data schema of ${type}`, () => schema['~standard'].validate(data));
}

/** The most issues that a reason names: data of 256 KB may have tens of thousands, each with a long path. */
const maximumIssues = 10;

function reasonFromIssues(
  issues: readonly StandardSchemaV1.Issue[],
  schema: StandardSchemaV1,
  { sensitive }: Model,
): string {
  const text = sensitive
    ? issueWithoutValues(schema)
    : (issue: StandardSchemaV1.Issue) => issueText(issue);
  const named = new Set(issues.slice(0, maximumIssues).map(text));
  const more = issues.length - maximumIssues;
  const all = more > 0 ? [...named, `and ${more} more issues`] : [...named];
  return schemaReasonPrefix + all.join('; ');
}

/** The same without values, which a schema may quote, and without names that are not the schema's own. */
const issueWithoutValues = (schema: StandardSchemaV1) => (issue: StandardSchemaV1.Issue) => {
  const path = declaredPrefix(jsonSchemaOf(schema), issuePath(issue));
  return `${path.join('.') || 'it'} is not as the model takes it`;
};

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
  throw new RangeError(`initial gave ${bytes} bytes, and a state may have ${maximumStateBytes}`);
}
