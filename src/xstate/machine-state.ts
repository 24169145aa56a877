import type {
  AnyMachineSnapshot,
  AnyStateMachine,
  AnyStateNode,
  EventObject,
  StateValue,
} from 'xstate';
import type { Effect } from '../core/effects/effect.ts';
import { nodesOf } from './nodes.ts';

/** An instance's state: the machine's persisted snapshot and its delayed events. */
export interface MachineState<Context = unknown> {
  /** `done` in a final state; otherwise `active`. */
  readonly status: 'active' | 'done';
  /** The machine's current state or states. */
  readonly value: StateValue;
  /** The machine's context, as JSON. */
  readonly context: Context;
  /** The machine's output when it is done. */
  readonly output?: unknown;
  /** The targets of history states, by the history states' ids. */
  readonly historyValue?: Readonly<
    Record<
      string,
      readonly {
        /** The id of the state. */
        readonly id: string;
      }[]
    >
  >;
  /** Delayed events, by the names of their timers. */
  readonly delayed?: Readonly<Record<string, EventObject>>;
  /** The effects of entering the initial state, to run when the first event is accepted. */
  readonly starting?: readonly Effect[];
}

/** Delayed events, by the names of their timers. */
export type DelayedEvents = ReadonlyMap<string, EventObject>;

/** Converts a snapshot to an instance's state. */
export function persistSnapshot<Context>(
  { status, value, context, output, historyValue, machine }: AnyMachineSnapshot,
  delayed: DelayedEvents,
  starting: readonly Effect[] = [],
): MachineState<Context> {
  if (status !== 'active' && status !== 'done')
    throw new Error(`the machine ${machine.id} is ${status}`);
  return {
    status,
    value,
    context: context as Context,
    ...(output === undefined ? {} : { output }),
    ...unlessEmpty(
      'historyValue',
      mapped(historyValue as Remembered, ({ id }) => ({ id })),
    ),
    ...unlessEmpty('delayed', Object.fromEntries(delayed)),
    ...(starting.length > 0 ? { starting } : {}),
  };
}

/**
 * Creates a function that converts states back to a machine's snapshots.
 *
 * @returns the function, which throws an Error if the machine does not have the state.
 */
export function snapshotRestorer(
  machine: AnyStateMachine,
): (state: MachineState) => AnyMachineSnapshot {
  const byId = new Map(nodesOf(machine).map((node) => [node.id, node]));
  const nodeOf = ({ id }: { readonly id: string }): AnyStateNode => {
    const node = byId.get(id);
    if (!node) throw new Error(`the machine has no state #${id}`);
    return node;
  };
  return ({ status, value, context, output, historyValue = {} }) =>
    machine.resolveState({
      status,
      value,
      context,
      output,
      historyValue: mapped(historyValue, nodeOf),
    }) as AnyMachineSnapshot;
}

type Remembered = Readonly<Record<string, readonly AnyStateNode[]>>;

function mapped<From, To>(
  lists: Readonly<Record<string, readonly From[]>>,
  change: (each: From) => To,
): Record<string, To[]> {
  return Object.fromEntries(
    Object.entries(lists).map(([key, list]) => [key, list.map((each) => change(each))]),
  );
}

function unlessEmpty<Key extends string, Value extends object>(key: Key, value: Value) {
  return Object.keys(value).length > 0 ? { [key]: value } : {};
}
