import { messageOf } from '../../common/message-of.ts';
import { isStaleTimerEvent } from '../effects/timer.ts';
import type { TrackedEvent } from '../event/event.ts';
import { foldEvent } from '../history/fold.ts';
import { type InstanceTimes, type TimedStatus, timesAfter } from '../history/instance-times.ts';
import { reasonWithPlace } from '../history/reason.ts';
import type { Snapshot } from '../history/snapshot.ts';
import { isJsonObject, type Json } from '../json/json.ts';
import { type JsonChange, jsonChanges } from '../json/json-changes.ts';
import { pointerOf } from '../json/json-pointer.ts';
import { parseJson } from '../json/parse-json.ts';
import { isSameJson } from '../json/same-json.ts';
import type { Model } from '../model/model.ts';
import { ModelFault } from '../model/model-fault.ts';
import { mapAtPaths } from '../personal-data/sensitive.ts';
import { progressOf } from '../status/milestones.ts';
import { isRebuild } from './rebuild.ts';
import {
  type CurrentInstance,
  type Deviation,
  type DeviationKind,
  type EventReference,
  hasDifference,
  type RecordedEvent,
  type ReplayResult,
  type StateChange,
  type ValueChange,
} from './replay-result.ts';

/** The maximum number of deviations to report for one instance. */
const maximumDeviations = 20;

/** The maximum number of changed fields to report. */
const maximumChanges = 20;

/** The maximum length of a reported value, in characters of its JSON. Longer values are truncated. */
const maximumValueLength = 200;

/**
 * Folds one instance's history with a model, starting at the first event, and compares the result with the recorded
 * outcomes and states. Events are added one at a time, so the history does not have to fit into memory.
 */
export class Replay {
  readonly #model: Model;
  readonly #placeOf: (fault: ModelFault) => string | undefined;
  #events = 0;
  #after: Snapshot | undefined;
  #times: TimedStatus | undefined;
  #last: RecordedEvent | undefined;
  #turned: Deviation[] = [];
  #turns = 0;
  #since: EventReference | undefined;
  #fault: { event: EventReference; reason: string; behind: number } | undefined;
  /**
   * The numbers of personal values in the events: values that still exist (`kept`) and values that are destroyed
   * (`gone`).
   */
  #personal = { kept: 0, gone: 0 };

  /** @param placeOf returns the position of a fault in the model's code, if known. */
  constructor(model: Model, placeOf: (fault: ModelFault) => string | undefined = () => undefined) {
    this.#model = model;
    this.#placeOf = placeOf;
  }

  /** The snapshot after the events so far; undefined before the first event. */
  get snapshot(): Snapshot | undefined {
    return this.#after;
  }

  /** The instance's event times after the events so far; undefined before the first event. */
  get times(): InstanceTimes | undefined {
    if (!this.#times) return undefined;
    const { startedAt, statusSince } = this.#times;
    return { startedAt, statusSince };
  }

  /** True if the model failed on an event. Events after the failed event cannot be folded. */
  get isStuck(): boolean {
    return this.#fault !== undefined;
  }

  /** Adds the next event of the history. */
  add(recorded: RecordedEvent): void {
    this.#last = recorded;
    const place = eventReference(recorded);
    if (isRebuild(recorded.event)) {
      // The rebuild corrected all earlier differences.
      this.#turned = [];
      this.#turns = 0;
      this.#since = undefined;
    } else {
      this.#events += 1;
      this.#countPersonal(recorded.event);
      if (this.#fault) {
        this.#fault.behind += 1;
        return;
      }
      this.#fold(recorded, place);
    }
    if (this.#fault || !this.#after) return;
    if (isSameJson(recorded.state, this.#after.json)) this.#since = undefined;
    else this.#since ??= place;
  }

  /**
   * Returns the result so far.
   *
   * @param known the current instance; ignored if its version is not the version of the last event added.
   */
  result(known?: CurrentInstance): ReplayResult {
    const replayed = {
      events: this.#events,
      turned: this.#turned,
      turns: this.#turns,
      ...(this.#fault && { fault: this.#fault }),
      ...(!this.#fault && this.#last && this.#after && this.#ends(this.#last, this.#after, known)),
    };
    const { kept, gone } = this.#personal;
    const isForgotten = gone > 0 && kept === 0;
    return { ...replayed, isForgotten: isForgotten && hasDifference({ ...replayed, isForgotten }) };
  }

  #fold(recorded: RecordedEvent, place: EventReference): void {
    const { event, outcome, reason, at } = recorded;
    if (isStaleTimerEvent(event, this.#after?.timers ?? [])) {
      if (outcome === 'applied') this.#turn('over', place, null, null);
      return;
    }
    try {
      const next = foldEvent(this.#model, this.#after, event, at);
      this.#after = next.after;
      const { status } = next.after.description;
      this.#times = timesAfter(this.#times, { event, outcome: next.outcome, status }, at);
      if (next.outcome !== outcome) this.#turn(next.outcome, place, reason, next.reason);
      else if (next.reason !== reason) this.#turn('reason', place, reason, next.reason);
    } catch (error) {
      this.#fault = { event: place, reason: this.#reasonOf(error), behind: 0 };
    }
  }

  /**
   * Returns the reason for the failure without the names of the model and the event, followed by the position in the
   * model's code if it is known.
   */
  #reasonOf(fault: unknown): string {
    if (!(fault instanceof ModelFault)) return messageOf(fault);
    return reasonWithPlace(fault.reason, this.#placeOf(fault));
  }

  #turn(
    turn: DeviationKind,
    event: EventReference,
    before: string | null,
    after: string | null,
  ): void {
    this.#turns += 1;
    if (this.#turned.length < maximumDeviations) this.#turned.push({ turn, event, before, after });
  }

  #ends(
    last: RecordedEvent,
    after: Snapshot,
    known: CurrentInstance | undefined,
  ): Partial<ReplayResult> {
    const { description, timers } = after;
    const ends = {
      ...changed('status', last.status, description.status),
      ...(this.#since && { state: this.#stateChange(this.#since, last, after) }),
    };
    if (known?.version !== last.version) return ends;
    const running = timers.map(({ name, dueAt }) => ({ name, dueAt }));
    return {
      ...ends,
      ...changed('done', known.done, description.done ?? false),
      ...changed('progress', known.progress, progressOf(this.#model.milestones, description)),
      ...changed('timers', known.timers, running),
      ...(known.times && changed('times', known.times, this.times!)),
    };
  }

  #stateChange(since: EventReference, last: RecordedEvent, after: Snapshot): StateChange {
    const places = jsonChanges(parseJson(last.state), parseJson(after.json));
    const first = places.take(maximumChanges + 1).toArray();
    const changes = first.slice(0, maximumChanges).map(({ path, ...values }) => ({
      path: pointerOf(path),
      ...(!this.#model.sensitive && shortened(values)),
    }));
    return { since, changes, more: first.length > maximumChanges };
  }

  #countPersonal({ type, data }: TrackedEvent): void {
    const paths = this.#model.sensitive?.events?.[type];
    if (!paths) return;
    mapAtPaths(data, paths, (value) => {
      if (value === null) this.#personal.gone += 1;
      else this.#personal.kept += 1;
      return value;
    });
  }
}

function eventReference({
  version,
  event: { id, source, type, time },
}: RecordedEvent): EventReference {
  return { version, id, source, type, time };
}

function changed<Name extends string, Value>(name: Name, before: Value, after: Value) {
  if (JSON.stringify(before) === JSON.stringify(after)) return {};
  return { [name]: { before, after } } as Record<Name, ValueChange<Value>>;
}

/** Truncates a change's long values. */
const shortened = (values: Omit<JsonChange, 'path'>): Omit<JsonChange, 'path'> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shortValue(value)]));

function shortValue(value: Json): Json {
  const json = JSON.stringify(value);
  if (json.length <= maximumValueLength) return value;
  if (typeof value === 'string') return `${value.slice(0, maximumValueLength).toWellFormed()}…`;
  return Array.isArray(value) || isJsonObject(value)
    ? `${json.slice(0, maximumValueLength).toWellFormed()}…`
    : value;
}
