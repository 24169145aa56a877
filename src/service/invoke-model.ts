import type { Invocation, ModelInvoker } from './ports.ts';
import type { EventOutcome, PositionedEvent } from './protocol.ts';
import type { TransitionOptions } from './transition.ts';

/** Runs a model's Lambda on some events. */
type Run = (events: readonly PositionedEvent[]) => Promise<Invocation>;

/**
 * Has a model's Lambda apply events, in one invoke. When the invoke fails as a
 * whole (the code crashed, ran out of time or memory, answered nonsense), the
 * events are halved until what fails stands alone, so that one bad instance
 * does not fail the others: first between instances, then, within one, what
 * comes before the event that fails is still applied.
 *
 * @returns an outcome for each event, in the same order.
 */
export async function invokeModel(
  models: ModelInvoker,
  functionArn: string,
  events: readonly PositionedEvent[],
  options: TransitionOptions = {},
): Promise<EventOutcome[]> {
  return applyAll(
    (some) => models.transition(functionArn, { op: 'transition', events: some, ...options }),
    events,
  );
}

/**
 * Has a model's Lambda rebuild instances, in the same way.
 *
 * @param events see `isRebuild`.
 */
export async function invokeRebuild(
  models: ModelInvoker,
  functionArn: string,
  events: readonly PositionedEvent[],
): Promise<EventOutcome[]> {
  return applyAll(
    (some) => models.transition(functionArn, { op: 'rebuild', events: some }),
    events,
  );
}

async function applyAll(run: Run, events: readonly PositionedEvent[]): Promise<EventOutcome[]> {
  const invocation = await run(events);
  if (invocation.kind === 'unavailable') return allFailed(events, 'service', invocation.reason);
  if (invocation.kind === 'answered') {
    const { outcomes } = invocation.answer;
    if (outcomes.length === events.length) return [...outcomes];
  }
  if (events.length === 1) return allFailed(events, 'model', reasonOf(invocation));
  const transactions = [...new Set(events.map(({ event }) => event.transaction))];
  return transactions.length > 1
    ? betweenInstances(run, events, transactions)
    : withinInstance(run, events);
}

async function betweenInstances(
  run: Run,
  events: readonly PositionedEvent[],
  transactions: readonly string[],
): Promise<EventOutcome[]> {
  const first = new Set(transactions.slice(0, Math.ceil(transactions.length / 2)));
  const halves = [
    events.filter(({ event }) => first.has(event.transaction)),
    events.filter(({ event }) => !first.has(event.transaction)),
  ];
  const outcomes = new Map<PositionedEvent, EventOutcome>();
  const running = halves.map(async (half) => {
    for (const [index, outcome] of (await applyAll(run, half)).entries())
      outcomes.set(half[index]!, outcome);
  });
  await Promise.all(running);
  return events.map((event) => outcomes.get(event)!);
}

async function withinInstance(
  run: Run,
  events: readonly PositionedEvent[],
): Promise<EventOutcome[]> {
  const middle = Math.ceil(events.length / 2);
  const before = await applyAll(run, events.slice(0, middle));
  const failure = before.find((outcome) => outcome.outcome === 'failed');
  // What comes after a failed event of the same instance has to wait behind it.
  const after = failure
    ? events.slice(middle).map(() => failure)
    : await applyAll(run, events.slice(middle));
  return [...before, ...after];
}

function reasonOf(invocation: Exclude<Invocation, { kind: 'unavailable' }>): string {
  return invocation.kind === 'failed'
    ? invocation.reason
    : "the model's Lambda gave another number of outcomes than it was sent events";
}

function allFailed(
  events: readonly PositionedEvent[],
  fault: 'model' | 'service',
  reason: string,
): EventOutcome[] {
  return events.map(() => ({ outcome: 'failed', fault, reason }));
}
