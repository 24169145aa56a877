import type { InstanceTimes } from '../history/instance-times.ts';
import type { Model } from '../model/model.ts';
import { type CountedExamples, ExampleCounter } from './example-counter.ts';
import {
  type CurrentInstance,
  type DeviationKind,
  type EventReference,
  isDifferent,
  type ReplayResult,
  type StateChange,
  type ValueChange,
} from './replay-result.ts';

/** An instance that serves as an example of a difference. */
interface InstanceExample {
  readonly transaction: string;
}

/** The result of replaying many instances, with the most frequent differences of each kind first. */
export interface ReplayReport {
  readonly model: string;
  /** The version of the model that replayed the instances. */
  readonly version: number;
  /** The number of replayed instances. */
  readonly instances: number;
  /** The number of events in the replayed instances' histories. */
  readonly events: number;
  /** The number of instances that differ from their replay in any way, except the instances that `forgotten` counts. */
  readonly different: number;
  /** Changed statuses, by the current and the new status. */
  readonly statuses: readonly (ValueChange<string> & CountedExamples<InstanceExample>)[];
  /** Events with a different outcome, grouped by type, deviation, and reason. */
  readonly outcomes: readonly (DeviationGroup &
    CountedExamples<InstanceExample & DeviationExample>)[];
  /** Events that the model fails on, grouped by type and reason. */
  readonly faults: readonly (EventKind & CountedExamples<InstanceExample & FaultExample>)[];
  readonly states: CountedExamples<InstanceExample & StateChange>;
  readonly done: readonly (ValueChange<boolean> & CountedExamples<InstanceExample>)[];
  readonly progress: CountedExamples<InstanceExample & ValueChange<number | null>>;
  readonly timers: CountedExamples<InstanceExample & ValueChange<CurrentInstance['timers']>>;
  /** Changed times: when instances started, and when their statuses were set. */
  readonly times: CountedExamples<InstanceExample & ValueChange<InstanceTimes>>;
  /**
   * The number of instances that differ from their replay, possibly only because their personal data is destroyed.
   * `different` does not include these instances.
   */
  readonly forgotten: number;
}

/** Events with the same type and reason. Type and reason are null for all events beyond the maximum number of kinds. */
interface EventKind {
  readonly type: string | null;
  /**
   * For faults, the error. Otherwise, why these events would now be rejected or, if they would now be applied, why they
   * were rejected before. Null for events whose timer would not be running (`over`).
   */
  readonly reason: string | null;
}

interface DeviationGroup extends EventKind {
  readonly turn: DeviationKind;
}

interface DeviationExample extends ValueChange<string | null> {
  readonly event: EventReference;
}

interface FaultExample {
  readonly event: EventReference;
  readonly behind: number;
}

const identity = <What>(what: What) => what;

/** A summary of the replays of many instances, in bounded memory. */
export class ReplaySummary {
  readonly #model: Pick<Model, 'id' | 'version'>;
  readonly #statuses = new ExampleCounter<ValueChange<string>, InstanceExample>(() => ({
    before: '…',
    after: '…',
  }));
  readonly #outcomes = new ExampleCounter<DeviationGroup, InstanceExample & DeviationExample>(
    ({ turn }) => ({ turn, ...otherEvents }),
  );
  readonly #faults = new ExampleCounter<EventKind, InstanceExample & FaultExample>(
    () => otherEvents,
  );
  readonly #states = new ExampleCounter<object, InstanceExample & StateChange>(identity);
  readonly #done = new ExampleCounter<ValueChange<boolean>, InstanceExample>(identity);
  readonly #progress = new ExampleCounter<object, InstanceExample & ValueChange<number | null>>(
    identity,
  );
  readonly #timers = new ExampleCounter<
    object,
    InstanceExample & ValueChange<CurrentInstance['timers']>
  >(identity);
  readonly #times = new ExampleCounter<object, InstanceExample & ValueChange<InstanceTimes>>(
    identity,
  );
  #instances = 0;
  #events = 0;
  #different = 0;
  #forgotten = 0;

  constructor(model: Pick<Model, 'id' | 'version'>) {
    this.#model = model;
  }

  /** The number of instances and events added so far, and the number of instances that differ. */
  get size(): Pick<ReplayReport, 'instances' | 'events' | 'different'> {
    return { instances: this.#instances, events: this.#events, different: this.#different };
  }

  add(transaction: string, replayed: ReplayResult): void {
    this.#instances += 1;
    this.#events += replayed.events;
    if (replayed.isForgotten) this.#forgotten += 1;
    if (!isDifferent(replayed)) return;
    this.#different += 1;
    const { turned, turns, fault, status, state, done, progress, timers, times } = replayed;
    for (const { turn, event, before, after } of turned) {
      const fate = { turn, type: event.type, reason: after ?? before };
      this.#outcomes.add(fate, { transaction, event, before, after });
    }
    const last = turned.at(-1);
    if (last) this.#outcomes.addOthers({ turn: last.turn, ...otherEvents }, turns - turned.length);
    if (fault) {
      const { event, reason, behind } = fault;
      this.#faults.add({ type: event.type, reason }, { transaction, event, behind });
    }
    if (status) this.#statuses.add(status, { transaction });
    if (state) this.#states.add({}, { transaction, ...state });
    if (done) this.#done.add(done, { transaction });
    if (progress) this.#progress.add({}, { transaction, ...progress });
    if (timers) this.#timers.add({}, { transaction, ...timers });
    if (times) this.#times.add({}, { transaction, ...times });
  }

  report(): ReplayReport {
    const { id, version } = this.#model;
    return {
      model: id,
      version,
      ...this.size,
      statuses: this.#statuses.list(),
      outcomes: this.#outcomes.list(),
      faults: this.#faults.list(),
      states: single(this.#states),
      done: this.#done.list(),
      progress: single(this.#progress),
      timers: single(this.#timers),
      times: single(this.#times),
      forgotten: this.#forgotten,
    };
  }
}

const otherEvents: EventKind = { type: null, reason: null };

const single = <Example>(kinds: ExampleCounter<object, Example>): CountedExamples<Example> =>
  kinds.list()[0] ?? { count: 0, examples: [] };
