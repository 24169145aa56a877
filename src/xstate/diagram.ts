import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import type { Diagram } from '../core/model/description.ts';
import { isDelay, nameOf, nodesOf, pathTo, withChildren } from './nodes.ts';
import { enteredNode, statusesOf, statusNodes } from './statuses.ts';

/**
 * Builds a machine's diagram: its statuses and, for each transition, an edge to its target from every status in which
 * the transition is possible.
 */
export function machineDiagram(machine: AnyStateMachine): Diagram {
  const edges = nodesOf(machine).flatMap((node) => transitionsOf(node).flatMap(edgesOf));
  const byText = new Map(edges.map((edge) => [JSON.stringify(edge), edge]));
  return {
    nodes: statusesOf(machine).map((status) => ({ id: status, label: status })),
    edges: [...byText.values()],
  };
}

function transitionsOf(node: AnyStateNode): AnyTransitionDefinition[] {
  const all = [...node.transitions.values(), node.always ?? []].flat();
  // A transition with neither a target nor actions forbids the event.
  return all.filter(({ target, actions }) => target !== undefined || actions.length > 0);
}

function edgesOf(transition: AnyTransitionDefinition): Diagram['edges'][number][] {
  const label = labelOf(transition);
  return sourcesOf(transition).flatMap((source) => {
    const targets = transition.target?.map(enteredNode) ?? [source];
    return targets.map((target) => ({ from: nameOf(source), to: nameOf(target), label }));
  });
}

/** Returns the statuses in which a transition is possible. */
function sourcesOf({ source, eventType }: AnyTransitionDefinition): AnyStateNode[] {
  const node = source as AnyStateNode;
  const inside = statusNodes(withChildren(node));
  // The status of every state within a parallel state is the parallel state.
  if (inside.length === 0) return [enteredNode(node)];
  return inside.filter((status) => {
    // A machine that is done accepts no more events.
    if (status.type === 'final' && status.parent === status.machine.root) return false;
    if (isDone(eventType))
      return status === node || (status.type === 'final' && status.parent === node);
    const nearer = pathTo(status).slice(pathTo(node).length);
    return !nearer.some((each) => takesAlways(each, eventType));
  });
}

/** Returns true if a state handles an event unconditionally, so the event never reaches the enclosing states. */
function takesAlways(node: AnyStateNode, eventType: string): boolean {
  return node.transitions.get(eventType)?.some(({ guard }) => guard === undefined) ?? false;
}

const isDone = (eventType: string) => eventType.startsWith('xstate.done.');

function labelOf(transition: AnyTransitionDefinition): string {
  const { guard } = transition;
  const name = typeof guard === 'string' ? guard : (guard as { readonly type?: string })?.type;
  return name === undefined ? causeOf(transition) : `${causeOf(transition)} [${name}]`;
}

function causeOf({ eventType, ...rest }: AnyTransitionDefinition): string {
  if (eventType === '') return 'always';
  if (isDone(eventType)) return 'done';
  if (!isDelay(eventType)) return eventType;
  const { delay } = rest as { readonly delay?: number | string };
  return typeof delay === 'number' ? `after ${delay} ms` : `after ${delay}`;
}
