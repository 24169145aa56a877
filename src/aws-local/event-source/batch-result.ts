import { halvesOf } from '../../common/chunks.ts';

/** The result of a batch, derived from the function's response. */
export type BatchResult =
  | { readonly kind: 'succeeded' }
  /** The records before `index` are done. The remaining records are retried. */
  | { readonly kind: 'checkpoint'; readonly index: number }
  | { readonly kind: 'failed' };

const succeeded: BatchResult = { kind: 'succeeded' };
const failed: BatchResult = { kind: 'failed' };

/**
 * Parses the response of a function that reports batch item failures.
 *
 * These responses mean success: null, an empty string or list, and an object whose `batchItemFailures` is missing,
 * null, or empty. The lowest reported sequence number is the checkpoint. An item that does not identify a record in
 * the batch fails the whole batch. AWS does not document the behavior for any other response; here, it also fails the
 * whole batch because a retry loses no record.
 *
 * @param sequenceNumbers the sequence numbers of the batch, in order.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-kinesis-batchfailurereporting.html
 */
export function readBatchResponse(
  response: unknown,
  sequenceNumbers: readonly string[],
): BatchResult {
  if (response === null || response === undefined || response === '') return succeeded;
  if (typeof response !== 'object') return failed;
  if (Array.isArray(response)) return response.length === 0 ? succeeded : failed;

  const failures = 'batchItemFailures' in response ? response.batchItemFailures : null;
  if (failures === null || failures === undefined) return succeeded;
  if (!Array.isArray(failures)) return failed;

  const reported = new Set<unknown>(failures.map(identifierOf));
  if (reported.size === 0) return succeeded;
  const inBatch = sequenceNumbers.filter((sequenceNumber) => reported.has(sequenceNumber));
  const lowest = lowestOf(inBatch);
  if (lowest === undefined || inBatch.length < reported.size) return failed;
  return { kind: 'checkpoint', index: sequenceNumbers.indexOf(lowest) };
}

function identifierOf(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return undefined;
  return 'itemIdentifier' in item ? item.itemIdentifier : undefined;
}

/**
 * Returns the lowest sequence number. Compares sequence numbers as BigInts because they exceed the precision of a
 * double and differ in length.
 */
function lowestOf(sequenceNumbers: readonly string[]): string | undefined {
  return sequenceNumbers.reduce<string | undefined>(
    (lowest, next) => (lowest === undefined || BigInt(next) < BigInt(lowest) ? next : lowest),
    undefined,
  );
}

/** A batch, or part of a batch, with the number of failures that count toward the retry limit. */
export interface BatchAttempt<T> {
  readonly records: readonly T[];
  readonly failures: number;
}

export type RetryDecision<T> =
  /**
   * The `completed` records are done. The function is invoked with the `next` parts, in order, before later batches in
   * the lane.
   */
  | {
      readonly kind: 'continue';
      readonly completed: readonly T[];
      readonly next: readonly BatchAttempt<T>[];
    }
  /** The same records are retried after a wait. */
  | { readonly kind: 'retry'; readonly next: BatchAttempt<T> }
  /** No retries remain. The records are discarded. */
  | { readonly kind: 'exhausted'; readonly failures: number };

export interface RetryPolicy {
  /** The maximum number of retries of a batch; `Infinity` for unlimited retries. */
  readonly maxRetries: number;
  readonly bisects: boolean;
}

/**
 * Decides whether to complete, split, retry, or discard a batch after an attempt.
 *
 * A checkpoint after the first record is progress: the remaining records become a new batch with all retries available
 * and are not bisected, as observed on AWS. If a whole batch of several records fails and bisecting is enabled, the
 * batch is split without using a retry. Every other failure uses one retry.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/kinesis-on-failure-destination.html
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-kinesis-batchfailurereporting.html
 */
export function decideRetry<T>(
  { records, failures }: BatchAttempt<T>,
  verdict: BatchResult,
  policy: RetryPolicy,
): RetryDecision<T> {
  if (verdict.kind === 'succeeded') return { kind: 'continue', completed: records, next: [] };

  if (verdict.kind === 'checkpoint' && verdict.index > 0) {
    const rest = { records: records.slice(verdict.index), failures: 0 };
    return { kind: 'continue', completed: records.slice(0, verdict.index), next: [rest] };
  }
  if (verdict.kind === 'failed' && policy.bisects && records.length > 1) {
    const next = halvesOf(records).map((half) => ({ records: half, failures }));
    return { kind: 'continue', completed: [], next };
  }
  if (failures >= policy.maxRetries) return { kind: 'exhausted', failures: failures + 1 };
  return { kind: 'retry', next: { records, failures: failures + 1 } };
}
