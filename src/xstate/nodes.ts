import type { AnyStateMachine, AnyStateNode } from 'xstate';

/** The prefix of XState's own events (delays, and states that are done) and actions. */
const ownPrefix = 'xstate.';

/** True if the type of an event or action is XState's own. */
export const isXStates = (type: string) => type.startsWith(ownPrefix);

/** True for the type of the event that XState raises in a state when its delay expires. */
export const isDelay = (type: string) => type.startsWith(`${ownPrefix}after.`);

/** All states of a machine in document order, starting with the root. */
export function nodesOf(machine: AnyStateMachine): AnyStateNode[] {
  return withChildren(machine.root as AnyStateNode);
}

/** A state and all states within it, in document order. */
export function withChildren(node: AnyStateNode): AnyStateNode[] {
  return [node, ...Object.values(node.states as Children).flatMap(withChildren)];
}

type Children = Readonly<Record<string, AnyStateNode>>;

/** A state and its ancestors, starting with the root. */
export function pathTo(node: AnyStateNode): AnyStateNode[] {
  return [...(node.parent ? pathTo(node.parent as AnyStateNode) : []), node];
}

/** The display name of a state: its path, such as `paid.shipping`, or the machine's id for the root. */
export const nameOf = (node: AnyStateNode) => node.path.join('.') || node.machine.id;
