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

/** An instance, in an example. */
interface InstanceExample {
  readonly transaction: string;
}

/** What folding many instances again came to; the most frequent of each kind of difference first. */
export interface ReplayReport {
  readonly model: string;
  /** Of the model that folded them. */
  readonly version: number;
  /** How many were folded, with how many events. */
  readonly instances: number;
  readonly events: number;
  /** How many of them would be otherwise, in whatever way. */
  readonly different: number;
  /** By status, then by the one that it would be. */
  readonly statuses: readonly (ValueChange<string> & CountedExamples<InstanceExample>)[];
  /** Events that would fare otherwise. */
  readonly outcomes: readonly (DeviationGroup &
    CountedExamples<InstanceExample & DeviationExample>)[];
  /** Events that the model fails on. */
  readonly faults: readonly (EventKind & CountedExamples<InstanceExample & FaultExample>)[];
  readonly states: CountedExamples<InstanceExample & StateChange>;
  readonly done: readonly (ValueChange<boolean> & CountedExamples<InstanceExample>)[];
  readonly progress: CountedExamples<InstanceExample & ValueChange<number | null>>;
  readonly timers: CountedExamples<InstanceExample & ValueChange<CurrentInstance['timers']>>;
  /** Instances whose personal data is destroyed, so that they fold otherwise: nothing more is said of them. */
  readonly forgotten: number;
}

/** Events of one type and with one reason; both are null for all others, where there are too many. */
interface EventKind {
  readonly type: string | null;
  /** Why they would be rejected, or were; null for a timer's too. */
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

/** Adds up what many instances came to, in little memory. */
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
  #instances = 0;
  #events = 0;
  #different = 0;
  #forgotten = 0;

  constructor(model: Pick<Model, 'id' | 'version'>) {
    this.#model = model;
  }

  /** How many were added, their events, and how many would be otherwise. */
  get size(): Pick<ReplayReport, 'instances' | 'events' | 'different'> {
    return { instances: this.#instances, events: this.#events, different: this.#different };
  }

  add(transaction: string, replayed: ReplayResult): void {
    this.#instances += 1;
    this.#events += replayed.events;
    if (replayed.isForgotten) this.#forgotten += 1;
    if (!isDifferent(replayed)) return;
    this.#different += 1;
    const { turned, turns, fault, status, state, done, progress, timers } = replayed;
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
      forgotten: this.#forgotten,
    };
  }
}

const otherEvents: EventKind = { type: null, reason: null };

const single = <Example>(kinds: ExampleCounter<object, Example>): CountedExamples<Example> =>
  kinds.list()[0] ?? { count: 0, examples: [] };
