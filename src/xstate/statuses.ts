import type { AnyStateMachine, AnyStateNode, StateValue } from 'xstate';
import { nameOf, nodesOf, pathTo } from './nodes.ts';

/**
 * Returns the statuses of a machine: the paths of the states that the machine can be in. A parallel state is a single
 * status because its regions can have any number of combinations. The instance's state contains the details.
 */
export function statusesOf(machine: AnyStateMachine): string[] {
  return statusNodes(nodesOf(machine)).map(nameOf);
}

/** Returns the nodes whose path is a status. */
export function statusNodes(nodes: readonly AnyStateNode[]): AnyStateNode[] {
  return nodes.filter(
    (node) =>
      (node.type === 'atomic' || node.type === 'final' || node.type === 'parallel') &&
      outermostParallel(node.parent) === undefined,
  );
}

/** Returns the node whose status is active after a state is entered. */
export function enteredNode(node: AnyStateNode): AnyStateNode {
  const parallel = outermostParallel(node);
  if (parallel) return parallel;
  // The target of a history state depends on the states that were active before. If none was active, this is usually
  // the parent's initial state.
  if (node.type === 'history') return enteredNode(node.parent!);
  return node.type === 'compound' ? enteredNode(node.initial.target[0]!) : node;
}

/**
 * Returns the status of a state value.
 *
 * @throws Error if the machine does not have the state, for example, because it was renamed.
 */
export function statusOf(machine: AnyStateMachine, value: StateValue): string {
  let node = machine.root as AnyStateNode;
  let rest: StateValue | undefined = value;
  while (node.type === 'compound') {
    const key: string = typeof rest === 'string' ? rest : Object.keys(rest ?? {})[0]!;
    const child = (node.states as Readonly<Record<string, AnyStateNode>>)[key];
    if (!child) throw new Error(`the machine has no state ${nameOf(node)}.${key}`);
    rest = typeof rest === 'string' ? undefined : rest?.[key];
    node = child;
  }
  return nameOf(node);
}

/** Formats a machine's current states for messages, such as `fulfilling.packing.boxed and fulfilling.payment.due`. */
export function describePosition(machine: AnyStateMachine, value: StateValue): string {
  return leaves(value, []).join(' and ') || machine.id;
}

function leaves(value: StateValue | undefined, path: readonly string[]): string[] {
  if (typeof value === 'string') return [[...path, value].join('.')];
  const inner = Object.entries(value ?? {});
  if (inner.length === 0) return [path.join('.')];
  return inner.flatMap(([key, rest]) => leaves(rest, [...path, key]));
}

function outermostParallel(node: AnyStateNode | undefined): AnyStateNode | undefined {
  return node && pathTo(node).find(({ type }) => type === 'parallel');
}
