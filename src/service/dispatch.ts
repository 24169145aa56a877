import { type DeadLetter, deadLetterId } from '../core/dead-letter.ts';
import { messageOf } from '../core/errors.ts';
import { decodeEvent, type EventHints, type TrackedEvent } from '../core/event.ts';
import type { RegistryEntry } from '../core/registry-entry.ts';
import { toIso } from '../core/time.ts';
import { invokeModel } from './invoke-model.ts';
import type { DeadLetterStore, ModelInvoker } from './ports.ts';
import type { PositionedEvent } from './protocol.ts';
import type { RegistryCache } from './registry-cache.ts';
import type { StreamRecord } from './stream-record.ts';

/** What the dispatcher needs around it. */
export interface DispatchEnvironment {
  readonly registry: RegistryCache;
  readonly deadLetters: DeadLetterStore;
  readonly models: ModelInvoker;
  /** Told of everything that an operator may want to know; one call a batch and kind. */
  readonly log: DispatchLog;
}

/** What a dispatcher says of its work. */
export interface DispatchLog {
  deadLetters(letters: readonly DeadLetter[]): void;
  failures(failures: readonly Failure[]): void;
}

/** A record that could not be dealt with now. */
export interface Failure {
  readonly record: StreamRecord;
  readonly reason: string;
}

/**
 * Takes a batch of stream records to their models. A record that is no event,
 * or whose model is not registered, becomes a dead letter.
 *
 * @returns the records that have to be delivered again; it never throws for a
 *   record's sake.
 */
export async function dispatch(
  environment: DispatchEnvironment,
  records: readonly StreamRecord[],
): Promise<StreamRecord[]> {
  const bad: BadRecord[] = [];
  const events: Arrived[] = [];
  for (const record of records) {
    const checked = decodeEvent(record.data, toIso(record.arrivedAt));
    if (checked.ok) events.push({ record, event: checked.event });
    else bad.push({ record, reason: checked.reason, hints: checked.hints });
  }
  const failures: Failure[] = [];
  const groups = Map.groupBy(events, ({ event }) => event.model);
  const running = [...groups].map(async ([model, group]) => {
    try {
      const entry = await environment.registry.get(model);
      if (entry) failures.push(...(await toModel(environment, entry, group)));
      else bad.push(...group.map((arrived) => unknownModel(arrived)));
    } catch (error) {
      failures.push(...group.map(({ record }) => ({ record, reason: messageOf(error) })));
    }
  });
  await Promise.all(running);
  failures.push(...(await toDeadLetters(environment, bad)));
  if (failures.length > 0) environment.log.failures(failures);
  return failures.map(({ record }) => record);
}

interface Arrived {
  readonly record: StreamRecord;
  readonly event: TrackedEvent;
}

interface BadRecord {
  readonly record: StreamRecord;
  readonly reason: string;
  readonly hints: EventHints;
}

function unknownModel({ record, event }: Arrived): BadRecord {
  return {
    record,
    reason: `no such model: ${event.model}`,
    hints: { modelId: event.model, transactionId: event.transaction, eventId: event.id },
  };
}

/** Has a model's Lambda apply its events of the batch, in stream order. */
async function toModel(
  { registry, models }: DispatchEnvironment,
  entry: RegistryEntry,
  group: readonly Arrived[],
): Promise<Failure[]> {
  const events: PositionedEvent[] = group.map(({ record, event }) => ({
    event,
    position: record.position,
  }));
  const outcomes = await invokeModel(models, entry.functionArn, events);
  const failures = group.flatMap(({ record }, index) => {
    const outcome = outcomes[index]!;
    return outcome.outcome === 'failed' ? [{ record, reason: outcome.reason }] : [];
  });
  if (failures.length > 0) registry.forget(entry.id);
  return failures;
}

async function toDeadLetters(
  { deadLetters, log }: DispatchEnvironment,
  bad: readonly BadRecord[],
): Promise<Failure[]> {
  const letters = bad.map(
    ({ record, reason, hints }): DeadLetter => ({
      ...hints,
      id: deadLetterId(record.eventId, record.arrivedAt),
      reason,
      at: toIso(record.arrivedAt),
      partitionKey: record.partitionKey,
      raw: record.data,
    }),
  );
  const answers = await deadLetters.put(letters);
  const isKept = (_: unknown, index: number) => !('error' in answers[index]!);
  const kept = letters.filter(isKept);
  if (kept.length > 0) log.deadLetters(kept);
  return bad.flatMap(({ record }, index) => {
    const answer = answers[index]!;
    return 'error' in answer ? [{ record, reason: messageOf(answer.error) }] : [];
  });
}
