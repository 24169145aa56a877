import type { AnyStateMachine } from 'xstate';
import { callModel } from '../core/model/model-fault.ts';
import { nodesOf } from './nodes.ts';

type Guard = (...args: readonly unknown[]) => boolean;

/** A machine that preserves the errors of its guards. */
export interface GuardedMachine {
  readonly machine: AnyStateMachine;
  /** Runs a step of the machine. Throws a guard's original error. */
  readonly run: <Result>(step: () => Result) => Result;
}

/**
 * Copies a machine and preserves its guards' errors in the copy. XState replaces a guard's error with a new error that
 * contains neither the stack nor the cause.
 */
export function withGuardFaults(machine: AnyStateMachine): GuardedMachine {
  let kept: { readonly fault: unknown } | undefined;
  const keeping = (part: string, guard: unknown): unknown => {
    // `and`, `or`, and `not` contain guards and cannot be called directly.
    if (typeof guard !== 'function' || 'guards' in guard || 'check' in guard) return guard;
    return (...args: readonly unknown[]) => {
      try {
        return callModel(part, () => (guard as Guard)(...args));
      } catch (fault) {
        kept = { fault };
        throw fault;
      }
    };
  };
  const named = Object.entries(machine.implementations.guards as object).map(
    ([name, guard]) => [name, keeping(`the guard ${name}`, guard)] as const,
  );
  const copy = machine.provide({ guards: Object.fromEntries(named) as object });
  for (const node of nodesOf(copy))
    for (const each of [...node.transitions.values(), node.always ?? []].flat())
      Object.assign(each, { guard: keeping('a guard', each.guard) });
  return {
    machine: copy,
    run(step) {
      kept = undefined;
      try {
        return step();
      } catch (thrown) {
        throw kept ? (kept as { fault: unknown }).fault : thrown;
      }
    },
  };
}
