import pMap from 'p-map';
import { halvesOf } from '../common/chunks.ts';
import type { Deadline } from '../common/deadline.ts';
import type {
  EventOutcome,
  PositionedEvent,
  TransitionRequest,
} from '../model-runtime/protocol.ts';
import type { ModelInvoker, TransitionInvocation } from './model-invoker.ts';

export interface InvokeModelOptions extends Pick<TransitionRequest, 'resume'> {
  /** When to stop: no invocation is started or awaited after this deadline. */
  readonly deadline: Deadline;
  /**
   * True to send each event in a separate invocation. Callers set it after an invocation with a single event failed as
   * a whole.
   *
   * @default false
   */
  readonly alone?: boolean;
}

/** The outcome of an attempt to apply an event. */
export type AttemptOutcome = EventOutcome & {
  /**
   * True if an invocation with only this event failed as a whole, for example, because the model's code hung or ended
   * the process.
   */
  readonly crashed?: true;
};

/** The reason for events that have no outcome because the dispatcher's time ran out. */
export const outOfTimeReason = 'the dispatcher ran out of time';

/**
 * How long to wait for a response, in milliseconds. Lambda stops a model's function after at most two minutes
 * (`maximumModelTimeout`), so no response can arrive later.
 */
const maximumWait = 130_000;

/** The maximum number of concurrent invocations of one function while a failing event is isolated. */
const concurrency = 32;

/**
 * The maximum number of events in one invocation. A batch can contain more events, because an aggregated record can
 * contain thousands of small events. In a single invocation, these events could exceed the function's timeout, and none
 * of them would complete.
 */
const maximumEvents = 1_000;

type InvokeBatch = (events: readonly PositionedEvent[]) => Promise<TransitionInvocation>;

/**
 * Applies events with a model's Lambda function, in a single invocation if possible.
 *
 * If the invocation fails as a whole because the code hangs, runs out of memory, or returns an invalid response, the
 * failing event is isolated. First, each instance's events are sent in a separate invocation. Then, if an instance's
 * invocation fails, each of the instance's events is sent in a separate invocation. An event on which the model hangs
 * therefore costs at most two of the function's timeouts (for the batch and the instance) plus one for each attempt,
 * regardless of the batch's size. A payload that is too large for Lambda, or that contains more than `maximumEvents`
 * events, is split in half.
 *
 * @returns an outcome for each event, in the same order. While a failing event is isolated, events that follow a failed
 *   or blocked event of the same instance are not sent and have the same outcome as that event.
 */
export function invokeModel(
  models: ModelInvoker,
  functionArn: string,
  events: readonly PositionedEvent[],
  { deadline, alone = false, ...options }: InvokeModelOptions,
): Promise<AttemptOutcome[]> {
  const run = invokeUntil(deadline, (some) =>
    models.transition(functionArn, { op: 'transition', events: some, ...options }),
  );
  return alone
    ? applyByInstance(events, (some) => applyOneByOne(run, some))
    : applyOrIsolate(run, events);
}

/**
 * Rebuilds instances with a model's Lambda function. Isolates failing requests like `invokeModel`.
 *
 * @param events the events that request the rebuilds: see `isRebuild`.
 */
export function invokeRebuild(
  models: ModelInvoker,
  functionArn: string,
  events: readonly PositionedEvent[],
  { deadline }: Pick<InvokeModelOptions, 'deadline'>,
): Promise<AttemptOutcome[]> {
  const run = invokeUntil(deadline, (some) =>
    models.transition(functionArn, { op: 'rebuild', events: some }),
  );
  return applyOrIsolate(run, events);
}

function invokeUntil(deadline: Deadline, run: InvokeBatch): InvokeBatch {
  return async (events) => {
    if (deadline.hasPassed) return { kind: 'unavailable', reason: outOfTimeReason };
    const invocation = await deadline.within(maximumWait).race(run(events));
    if (invocation !== 'late') return invocation;
    const reason = deadline.hasPassed
      ? outOfTimeReason
      : "the model's function did not respond in time";
    return { kind: 'unavailable', reason };
  };
}

async function applyOrIsolate(
  run: InvokeBatch,
  events: readonly PositionedEvent[],
): Promise<AttemptOutcome[]> {
  if (events.length > maximumEvents) return applyInHalves(run, events);
  const invocation = await run(events);
  if (invocation.kind === 'unavailable')
    return events.map(() => ({ outcome: 'failed', fault: 'service', reason: invocation.reason }));
  if (invocation.kind === 'answered') {
    const { outcomes } = invocation.answer;
    if (outcomes.length === events.length) return [...outcomes];
  }
  if (events.length === 1)
    return [
      { outcome: 'failed', fault: 'model', reason: failureReason(invocation), crashed: true },
    ];
  if (invocation.kind === 'too-large') return applyInHalves(run, events);
  const isOneInstance = new Set(events.map(({ event }) => event.transaction)).size === 1;
  return isOneInstance
    ? applyOneByOne(run, events)
    : applyByInstance(events, (ofInstance) => applyOrIsolate(run, ofInstance));
}

/** Applies each instance's events separately. */
async function applyByInstance(
  events: readonly PositionedEvent[],
  applyInstance: (events: readonly PositionedEvent[]) => Promise<AttemptOutcome[]>,
): Promise<AttemptOutcome[]> {
  const outcomes = new Map<PositionedEvent, AttemptOutcome>();
  await pMap(
    Map.groupBy(events, ({ event }) => event.transaction).values(),
    async (ofInstance) => {
      const answers = await applyInstance(ofInstance);
      for (const [index, event] of ofInstance.entries()) outcomes.set(event, answers[index]!);
    },
    { concurrency },
  );
  return events.map((event) => outcomes.get(event)!);
}

/**
 * Applies one instance's events, each in a separate invocation, until an event fails or is blocked. Later events have
 * the same outcome as that event.
 */
async function applyOneByOne(
  run: InvokeBatch,
  events: readonly PositionedEvent[],
): Promise<AttemptOutcome[]> {
  const outcomes: AttemptOutcome[] = [];
  for (const event of events) {
    const before = outcomes.at(-1);
    if (before && isBlocking(before)) outcomes.push(before);
    else outcomes.push(...(await applyOrIsolate(run, [event])));
  }
  return outcomes;
}

/** Applies events in two consecutive invocations to keep each instance's events in order. */
async function applyInHalves(
  run: InvokeBatch,
  events: readonly PositionedEvent[],
): Promise<AttemptOutcome[]> {
  const [firstHalf, secondHalf] = halvesOf(events);
  const first = await applyOrIsolate(run, firstHalf);
  const stopped = new Map<string, AttemptOutcome>();
  for (const [index, outcome] of first.entries()) {
    const { transaction } = firstHalf[index]!.event;
    if (isBlocking(outcome)) stopped.set(transaction, outcome);
  }
  const isFree = ({ event }: PositionedEvent) => !stopped.has(event.transaction);
  const free = secondHalf.filter(isFree);
  const answers = (free.length > 0 ? await applyOrIsolate(run, free) : []).values();
  return [
    ...first,
    ...secondHalf.map((each) =>
      isFree(each) ? answers.next().value! : stopped.get(each.event.transaction)!,
    ),
  ];
}

/** Returns true if an event with this outcome blocks its instance's later events. */
const isBlocking = ({ outcome }: AttemptOutcome) => outcome === 'failed' || outcome === 'behind';

function failureReason(invocation: Exclude<TransitionInvocation, { kind: 'unavailable' }>): string {
  return invocation.kind === 'answered'
    ? "the model's function returned a different number of outcomes than events"
    : invocation.reason;
}
