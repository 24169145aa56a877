import type { InvokeRequest, InvokeResponse } from '../../aws-local/lambda/invocation.ts';
import { type Clock, systemClock, timeLeft } from '../../common/clock.ts';
import { messageOf } from '../../common/message-of.ts';
import { toIso } from '../../core/time/timestamp.ts';
import type { ScheduleDefinition } from '../template/service-definition.ts';

/** The period of a schedule in milliseconds. One minute in EventBridge becomes one second on this machine. */
const periodMs = 1_000;

export interface ScheduleDependencies {
  readonly invoke: (input: InvokeRequest) => Promise<InvokeResponse>;
  readonly log: (line: string) => void;
  /**
   * The names of functions whose output is not logged. Contains a function from its first failure until its next
   * success.
   */
  readonly muted: Set<string>;
  /** Default: the system clock. */
  readonly clock?: Clock;
}

/** A schedule that runs until it is stopped. */
export interface RunningSchedule {
  /** Starts no more invocations. An invocation in progress continues until the function returns. */
  stop(): void;
}

/**
 * Invokes a function once per period, one invocation at a time. Logs only the first of consecutive failures. The first
 * invocation starts after one period so that its cold start does not delay the first event.
 */
export function startSchedule(
  { functionName }: ScheduleDefinition,
  { invoke, log, muted, clock = systemClock }: ScheduleDependencies,
): RunningSchedule {
  const stopping = new AbortController();
  const { signal } = stopping;

  const report = (failure: string | undefined) => {
    const isKnown = muted.has(functionName);
    if (failure !== undefined && !isKnown)
      log(`${functionName} failed; retrying every second: ${failure}`);
    if (failure === undefined && isKnown) log(`${functionName} has recovered`);
    if (failure === undefined) muted.delete(functionName);
    else muted.add(functionName);
  };
  const run = async () => {
    await clock.sleep(periodMs, signal);
    while (!signal.aborted) {
      const start = clock.now();
      const failure = await failureOf(() => invoke({ functionName, payload: eventAt(start) }));
      if (signal.aborted) return;
      report(failure);
      await clock.sleep(timeLeft(clock, start, periodMs), signal);
    }
  };
  void run();
  return { stop: () => stopping.abort() };
}

async function failureOf(invoke: () => Promise<InvokeResponse>): Promise<string | undefined> {
  try {
    const { functionError, payload } = await invoke();
    if (!functionError) return undefined;
    return (JSON.parse(payload) as { errorMessage?: string }).errorMessage ?? payload;
  } catch (error) {
    return messageOf(error);
  }
}

/** @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-rule-schedule.html */
const eventAt = (now: number) =>
  JSON.stringify({
    version: '0',
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    time: toIso(now),
    detail: {},
  });
