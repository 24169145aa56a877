import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { hasAtMostCharacters } from '../common/has-at-most-characters.ts';
import { isDelay, nameOf, nodesOf } from './nodes.ts';

/** XState's own actions that a model can do. */
const supportedActions = new Set(
  ['assign', 'raise', 'cancel', 'emit', 'log', 'enqueueActions'].map((name) => `xstate.${name}`),
);
/** The most characters that a timer's name may have. */
const maximumNameLength = 200;

/**
 * Why a machine cannot be a model, or undefined. A model is folded from events and has no actor
 * that runs, so that whatever needs one is refused, and what nobody implemented too.
 *
 * @param effects the names of the actions whose effects are known.
 */
export function machineViolation(
  machine: AnyStateMachine,
  effects: ReadonlySet<string>,
): string | undefined {
  for (const node of nodesOf(machine)) {
    const wrong = nodeViolation(machine, node, effects);
    if (wrong !== undefined) return `in ${nameOf(node)}, ${wrong}`;
  }
  return undefined;
}

function nodeViolation(
  machine: AnyStateMachine,
  node: AnyStateNode,
  effects: ReadonlySet<string>,
): string | undefined {
  const [invoked] = node.invoke;
  if (invoked)
    return `it invokes ${invoked.id}: a model has no actors, what they do comes as events`;
  const transitions = [...node.transitions.values(), node.always ?? []].flat();
  const steps = node.type === 'compound' ? [...transitions, node.initial] : transitions;
  const actions = [...node.entry, ...node.exit, ...steps.flatMap((step) => step.actions)];
  return (
    firstOf(actions, (action) => wrongAction(machine, action, effects)) ??
    firstOf(transitions, ({ guard }) => missingGuard(machine, guard)) ??
    firstOf(node.after, ({ delay }) => missingDelay(machine, delay)) ??
    firstOf([...node.transitions.keys()].filter(isDelay), tooLong)
  );
}

function wrongAction(
  machine: AnyStateMachine,
  action: unknown,
  effects: ReadonlySet<string>,
): string | undefined {
  const name = nameIn(action);
  const known = machine.implementations.actions as Readonly<Record<string, unknown>>;
  const body = name === undefined ? action : known[name];
  if (isBuiltIn(body)) {
    if (!supportedActions.has(body.type))
      return `it does ${body.type}, which only a running actor could`;
    return body.type === 'xstate.raise'
      ? (missingDelay(machine, body.delay) ?? tooLong(body.id))
      : undefined;
  }
  if (name === undefined)
    return 'an action is a function: give it a name, and say in effects what it comes to';
  return effects.has(name) ? undefined : `nobody says in effects what the action ${name} comes to`;
}

interface BuiltIn {
  readonly type: string;
  /** Of a raise: milliseconds, a function, or a name. */
  readonly delay?: unknown;
  readonly id?: unknown;
}

const isBuiltIn = (action: unknown): action is BuiltIn =>
  typeof action === 'function' && 'resolve' in action;

function missingGuard(machine: AnyStateMachine, guard: unknown): string | undefined {
  // `and`, `or` and `not` are functions that carry the guards in them.
  if (typeof guard === 'function')
    return 'guards' in guard
      ? firstOf(guard.guards as unknown[], (inner) => missingGuard(machine, inner))
      : undefined;
  const name = nameIn(guard);
  const known = machine.implementations.guards as object;
  return name === undefined || Object.hasOwn(known, name)
    ? undefined
    : `the guard ${name} is not implemented`;
}

function missingDelay(machine: AnyStateMachine, delay: unknown): string | undefined {
  // XState would take one without an implementation as none at all.
  return typeof delay !== 'string' || Object.hasOwn(machine.implementations.delays, delay)
    ? undefined
    : `the delay ${delay} is not implemented`;
}

function tooLong(timer: unknown): string | undefined {
  return typeof timer === 'string' && !hasAtMostCharacters(timer, maximumNameLength)
    ? `${timer} is too long to name a timer`
    : undefined;
}

function nameIn(reference: unknown): string | undefined {
  if (typeof reference === 'string') return reference;
  if (typeof reference !== 'object' || reference === null) return undefined;
  return (reference as { readonly type: string }).type;
}

function firstOf<Item>(
  items: readonly Item[],
  wrong: (item: Item) => string | undefined,
): string | undefined {
  for (const item of items) {
    const found = wrong(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
