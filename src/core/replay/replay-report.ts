import type { Model } from '../model/model.ts';
import { type Counted, Kinds } from './kinds.ts';
import {
  type Change,
  isDifferent,
  type Known,
  type Place,
  type Replayed,
  type StateChange,
  type Turn,
} from './replayed.ts';

/** An instance, in an example. */
interface Named {
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
  readonly statuses: readonly (Change<string> & Counted<Named>)[];
  /** Events that would fare otherwise. */
  readonly outcomes: readonly (Fate & Counted<Named & Turning>)[];
  /** Events that the model fails on. */
  readonly faults: readonly (Sort & Counted<Named & Fault>)[];
  readonly states: Counted<Named & StateChange>;
  readonly done: readonly (Change<boolean> & Counted<Named>)[];
  readonly progress: Counted<Named & Change<number | null>>;
  readonly timers: Counted<Named & Change<Known['timers']>>;
  /** Instances whose personal data is destroyed, so that they fold otherwise: nothing more is said of them. */
  readonly forgotten: number;
}

/** Events of one type and with one reason; both are null for all others, where there are too many. */
interface Sort {
  readonly type: string | null;
  /** Why they would be rejected, or were; null for a timer's too. */
  readonly reason: string | null;
}

interface Fate extends Sort {
  readonly turn: Turn;
}

interface Turning extends Change<string | null> {
  readonly event: Place;
}

interface Fault {
  readonly event: Place;
  readonly behind: number;
}

const asTheyAre = <What>(what: What) => what;

/** Adds up what many instances came to, in little memory. */
export class ReplaySummary {
  readonly #model: Pick<Model, 'id' | 'version'>;
  readonly #statuses = new Kinds<Change<string>, Named>(() => ({ before: '…', after: '…' }));
  readonly #outcomes = new Kinds<Fate, Named & Turning>(({ turn }) => ({ turn, ...anySort }));
  readonly #faults = new Kinds<Sort, Named & Fault>(() => anySort);
  readonly #states = new Kinds<object, Named & StateChange>(asTheyAre);
  readonly #done = new Kinds<Change<boolean>, Named>(asTheyAre);
  readonly #progress = new Kinds<object, Named & Change<number | null>>(asTheyAre);
  readonly #timers = new Kinds<object, Named & Change<Known['timers']>>(asTheyAre);
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

  add(transaction: string, replayed: Replayed): void {
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
    if (last) this.#outcomes.addOthers({ turn: last.turn, ...anySort }, turns - turned.length);
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
      states: only(this.#states),
      done: this.#done.list(),
      progress: only(this.#progress),
      timers: only(this.#timers),
      forgotten: this.#forgotten,
    };
  }
}

const anySort: Sort = { type: null, reason: null };

const only = <Example>(kinds: Kinds<object, Example>): Counted<Example> =>
  kinds.list()[0] ?? { count: 0, examples: [] };
