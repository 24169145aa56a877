import type { AnyStateMachine, AnyStateNode } from 'xstate';

/** The prefix of XState's own actions and of its own events for expired delays and completed states. */
const ownPrefix = 'xstate.';

/** Returns true if the type of an event or an action is one of XState's own. */
export const isXStates = (type: string) => type.startsWith(ownPrefix);

/** Returns true if a type is the type of the event that XState raises when a state's delay expires. */
export const isDelay = (type: string) => type.startsWith(`${ownPrefix}after.`);

/** Returns all states of a machine in document order, starting with the root. */
export function nodesOf(machine: AnyStateMachine): AnyStateNode[] {
  return withChildren(machine.root as AnyStateNode);
}

/** Returns a state and all states within it, in document order. */
export function withChildren(node: AnyStateNode): AnyStateNode[] {
  return [node, ...Object.values(node.states as Children).flatMap(withChildren)];
}

type Children = Readonly<Record<string, AnyStateNode>>;

/** Returns a state and its ancestors, starting with the root. */
export function pathTo(node: AnyStateNode): AnyStateNode[] {
  return [...(node.parent ? pathTo(node.parent as AnyStateNode) : []), node];
}

/** Returns the display name of a state: its path, such as `paid.shipping`, or the machine's id for the root. */
export const nameOf = (node: AnyStateNode) => node.path.join('.') || node.machine.id;
