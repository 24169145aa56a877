import type { InvokeRequest, InvokeResponse } from '../../aws-local/lambda/invocation.ts';

import { type Clock, systemClock } from '../../common/clock.ts';
import { messageOf } from '../../common/message-of.ts';
import { toIso } from '../../core/time/timestamp.ts';
import type { ScheduleDefinition } from '../template/service-definition.ts';

/** A minute of EventBridge is a second here, in milliseconds. */
const periodMs = 1_000;

export interface ScheduleDependencies {
  readonly invoke: (input: InvokeRequest) => Promise<InvokeResponse>;
  readonly log: (line: string) => void;
  /** Functions of which nothing is logged, because what they say has been said. */
  readonly muted: Set<string>;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

/** Something that goes on until it is stopped. */
export interface RunningSchedule {
  /** Starts no further run; one that is under way ends with its function. */
  stop(): void;
}

/**
 * Invokes a function again and again, never twice at once. What it fails of is said once, until it
 * works again.
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
      log(`${functionName} failed, and is tried again every second: ${failure}`);
    if (failure === undefined && isKnown) log(`${functionName} works again`);
    if (failure === undefined) muted.delete(functionName);
    else muted.add(functionName);
  };
  const run = async () => {
    while (!signal.aborted) {
      const start = clock.now();
      const failure = await failureOf(() => invoke({ functionName, payload: eventAt(start) }));
      if (signal.aborted) return;
      report(failure);
      await clock.sleep(Math.max(0, start + periodMs - clock.now()), signal);
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
