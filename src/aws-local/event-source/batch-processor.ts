import { messageOf } from '../../common/message-of.ts';
import { backoffMs } from '../backoff.ts';
import {
  type BatchAttempt,
  type BatchResult,
  decideRetry,
  readBatchResponse,
} from './batch-result.ts';
import {
  type DiscardedBatch,
  invocationRecord,
  type ResponseContext,
} from './on-failure-destination.ts';
import type { EventSourceContext, InvocationResult } from './options.ts';
import type { PendingRecord } from './shard-progress.ts';
import { hasState, inWindow } from './tumbling-window.ts';

type CompletedInvocation = Extract<InvocationResult, { kind: 'ok' | 'functionError' }>;

/** Invokes the function with a batch, including retries, until every record is processed or discarded. */
export class BatchProcessor {
  readonly #context: EventSourceContext;
  readonly #shardId: string;
  readonly #completed: (records: readonly PendingRecord[]) => void;
  /** The remaining parts of the batch, in order. The next invocation receives the first part. */
  #attempts: BatchAttempt<PendingRecord>[];

  constructor(
    context: EventSourceContext,
    shardId: string,
    batch: readonly PendingRecord[],
    completed: (records: readonly PendingRecord[]) => void,
  ) {
    this.#context = context;
    this.#shardId = shardId;
    this.#completed = completed;
    this.#attempts = [{ records: batch, failures: 0 }];
  }

  /** Resolves when all records in the batch have been processed or discarded, or when the mapping stops. */
  async run(): Promise<void> {
    let outages = 0;
    while (!this.#context.stopping.aborted) {
      await this.#discardExpired();
      const attempt = this.#attempts[0];
      if (attempt === undefined) return;

      const result = await this.#invoke(attempt);
      if (this.#context.abandoned.aborted) return;
      if (result.kind === 'ok' || result.kind === 'functionError') {
        outages = 0;
        await this.#settle(attempt, result);
      } else {
        // The function did not run, so the batch keeps its retries.
        outages += 1;
        this.#log(`invocation ${result.kind}; retrying: ${result.message}`, attempt);
        await this.#pause(outages);
      }
    }
  }

  /** Discards the expired records at the start of the batch. The function still receives the remaining records. */
  async #discardExpired(): Promise<void> {
    const { clock, settings } = this.#context;
    for (let head = this.#attempts[0]; head !== undefined; head = this.#attempts[0]) {
      const expired = countExpired(head.records, settings.maxAgeMs, clock.now());
      if (expired === 0) return;
      const discarded = await this.#discard({
        condition: 'RecordAgeExceeded',
        records: head.records.slice(0, expired),
        approximateInvokeCount: head.failures + 1,
        requestId: this.#context.random.uuid(),
      });
      if (!discarded) return;
      const rest = { ...head, records: head.records.slice(expired) };
      this.#attempts.splice(0, 1, ...(rest.records.length > 0 ? [rest] : []));
    }
  }

  async #invoke(attempt: BatchAttempt<PendingRecord>): Promise<InvocationResult> {
    const { abandoned, format, invoke, mapping, settings, clock } = this.#context;
    const event = format.event(attempt.records, this.#shardId, mapping);
    const origin = { shardId: this.#shardId, streamArn: mapping.streamArn, now: clock.now() };
    const { tumblingWindowMs } = settings;
    try {
      return await invoke(
        tumblingWindowMs === 0 ? event : inWindow(event, origin, tumblingWindowMs),
        abandoned,
      );
    } catch (error) {
      return { kind: 'unavailable', message: messageOf(error) };
    }
  }

  async #settle(attempt: BatchAttempt<PendingRecord>, result: CompletedInvocation): Promise<void> {
    const { random, settings } = this.#context;
    const after = decideRetry(attempt, this.#verdict(attempt, result), settings);
    if (after.kind === 'continue') {
      this.#completed(after.completed);
      this.#attempts.splice(0, 1, ...after.next);
      return;
    }
    const reason =
      result.kind === 'ok'
        ? 'the function reported failed items or returned an invalid response'
        : result.message;
    this.#log(`batch failed: ${reason}`, attempt);
    if (after.kind === 'retry') {
      this.#attempts[0] = after.next;
      await this.#pause(after.next.failures);
      return;
    }
    const discarded = await this.#discard({
      condition: 'RetryAttemptsExhausted',
      records: attempt.records,
      approximateInvokeCount: after.failures,
      requestId: result.requestId ?? random.uuid(),
      responseContext: responseContext(result),
    });
    if (discarded) this.#attempts.shift();
  }

  #verdict(attempt: BatchAttempt<PendingRecord>, result: CompletedInvocation): BatchResult {
    if (result.kind === 'functionError') return { kind: 'failed' };
    const { reportsItemFailures, tumblingWindowMs } = this.#context.settings;
    if (tumblingWindowMs > 0 && !hasState(result.response)) return { kind: 'failed' };
    if (!reportsItemFailures) return { kind: 'succeeded' };
    return readBatchResponse(
      result.response,
      attempt.records.map((record) => record.sequenceNumber),
    );
  }

  /**
   * Sends a batch to the on-failure destination, and retries until the destination accepts it. Returns false if the
   * mapping stops first.
   */
  async #discard(
    discard: DiscardedBatch & { readonly records: readonly PendingRecord[] },
  ): Promise<boolean> {
    const { clock, destination, format, mapping, stopping } = this.#context;
    const source = { shardId: this.#shardId, batchInfo: format.batchInfo, ...mapping };
    const payload = format.event(discard.records, this.#shardId, mapping);
    const record = invocationRecord(discard, source, payload, clock.now());
    this.#log(`batch discarded: ${discard.condition}`, discard);
    for (let failures = 1; ; failures += 1) {
      try {
        await destination?.deliver(record);
        break;
      } catch (error) {
        const reason = messageOf(error);
        this.#log(`on-failure destination failed; retrying: ${reason}`, discard);
      }
      await this.#pause(failures);
      if (stopping.aborted) return false;
    }
    if (this.#context.abandoned.aborted) return false;
    this.#completed(discard.records);
    return true;
  }

  #pause(failures: number): Promise<void> {
    const { backoff, clock, random, stopping } = this.#context;
    return clock.sleep(backoffMs(failures, backoff, random), stopping);
  }

  #log(message: string, { records }: { readonly records: readonly PendingRecord[] }): void {
    this.#context.log(message, {
      shardId: this.#shardId,
      startSequenceNumber: records[0]?.sequenceNumber,
      batchSize: records.length,
    });
  }
}

function responseContext(result: CompletedInvocation): ResponseContext {
  return {
    statusCode: 200,
    executedVersion: '$LATEST',
    functionError: result.kind === 'ok' ? null : result.functionError,
  };
}

/**
 * Counts the records at the start of a batch that are older than the maximum age. `maxAgeMs` is `Infinity` if there is
 * no limit.
 */
function countExpired(
  batch: readonly { readonly arrivedAt: number }[],
  maxAgeMs: number,
  now: number,
): number {
  const alive = batch.findIndex((record) => now - record.arrivedAt <= maxAgeMs);
  return alive === -1 ? batch.length : alive;
}
