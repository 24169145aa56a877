import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { hasAtMostCharacters } from '../common/has-at-most-characters.ts';
import { isDelay, nameOf, nodesOf } from './nodes.ts';

/** XState's built-in actions that a model supports. */
const supportedActions = new Set(
  ['assign', 'raise', 'cancel', 'emit', 'log', 'enqueueActions'].map((name) => `xstate.${name}`),
);
/** The maximum length of a timer's name, in characters. */
const maximumNameLength = 200;

/**
 * Returns why a machine cannot be a model; undefined if it can. A model has no running actor, so features that require
 * an actor are rejected, as are names without an implementation.
 *
 * @param effects the names of the actions with declared effects.
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
    return `it invokes ${invoked.id}: a model has no actors; send their results as events`;
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
      return `it uses ${body.type}, which requires a running actor`;
    return body.type === 'xstate.raise'
      ? (missingDelay(machine, body.delay) ?? tooLong(body.id))
      : undefined;
  }
  if (name === undefined)
    return 'an action is an inline function: give it a name and declare its effects in effects';
  return effects.has(name) ? undefined : `the action ${name} has no entry in effects`;
}

interface BuiltIn {
  readonly type: string;
  /** The delay of a raised event: milliseconds, a function, or a name. */
  readonly delay?: unknown;
  readonly id?: unknown;
}

const isBuiltIn = (action: unknown): action is BuiltIn =>
  typeof action === 'function' && 'resolve' in action;

function missingGuard(machine: AnyStateMachine, guard: unknown): string | undefined {
  // `and`, `or`, and `not` are functions with the guards as a property.
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
  // XState treats a delay without an implementation as no delay.
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
  return items
    .values()
    .map(wrong)
    .find((found) => found !== undefined);
}
