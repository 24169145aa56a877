import type { ObservedEntry } from '../../observe/observed.ts';

/** An event of a history, with its data as an object. */
export interface RuleEvent extends Omit<ObservedEntry['event'], 'data'> {
  readonly transaction: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An event that an instance must send to another instance. */
export interface Sending {
  readonly model: string;
  readonly transaction: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The consequences of an accepted event. */
export interface Step<State> {
  readonly state: State;
  readonly sends?: readonly Sending[];
  /** The due times of started timers by name, in milliseconds since 1970. */
  readonly starts?: Readonly<Record<string, number>>;
  readonly cancels?: readonly string[];
}

/** The facts that a rule may use besides the event. */
export interface StepFacts {
  readonly isFirst: boolean;
  /** When the event was recorded, in milliseconds since 1970. */
  readonly recordedAt: number;
  /**
   * The state that the service shows after the event. From this state, rules use only the ids that the model generates.
   */
  readonly shown: unknown;
}

/** A second implementation of a model, which is based on the model's documentation instead of its code. */
export interface Rules<State> {
  initial(event: RuleEvent): State;
  /** Returns the result of an event; undefined if the model must reject the event. */
  apply(state: State, event: RuleEvent, facts: StepFacts): Step<State> | undefined;
  statusOf(state: State): string;
  isDone(state: State): boolean;
}

export const timeOf = ({ time }: RuleEvent): number => Date.parse(time);
export const secondsOf = (event: RuleEvent): number => Math.floor(timeOf(event) / 1000);
