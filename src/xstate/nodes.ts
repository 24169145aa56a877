import type { AnyStateMachine, AnyStateNode } from 'xstate';

/** What XState calls the events of its own making: delays, and states that are done. */
const ownPrefix = 'xstate.';

/** Whether an event type, or an action's type, is XState's own. */
export const isXStates = (type: string) => type.startsWith(ownPrefix);

/** The type of the event that XState raises in a state when its delay is over. */
export const isDelay = (type: string) => type.startsWith(`${ownPrefix}after.`);

/** Every state of a machine in document order, the root first. */
export function nodesOf(machine: AnyStateMachine): AnyStateNode[] {
  return withChildren(machine.root as AnyStateNode);
}

/** A state and every state in it, in document order. */
export function withChildren(node: AnyStateNode): AnyStateNode[] {
  return [node, ...Object.values(node.states as Children).flatMap(withChildren)];
}

type Children = Readonly<Record<string, AnyStateNode>>;

/** A state and what it is in, from the root down. */
export function pathTo(node: AnyStateNode): AnyStateNode[] {
  return [...(node.parent ? pathTo(node.parent as AnyStateNode) : []), node];
}

/** A state as people read it: its path, `paid.shipping`; the root goes by the machine's id. */
export const nameOf = (node: AnyStateNode) => node.path.join('.') || node.machine.id;
