/** What an answer of the function says of its batch. */
export type BatchResult =
  | { readonly kind: 'succeeded' }
  /** The records before `index` are done; that one and everything behind it comes again. */
  | { readonly kind: 'checkpoint'; readonly index: number }
  | { readonly kind: 'failed' };

const succeeded: BatchResult = { kind: 'succeeded' };
const failed: BatchResult = { kind: 'failed' };

/**
 * Reads the answer of a function that reports batch item failures.
 *
 * Nothing, or nothing reported, is success: null, an empty string, list or object, and a null or
 * empty `batchItemFailures`. The lowest reported sequence number is the checkpoint. An item that
 * names no record of the batch fails the whole batch, and so does an answer of another shape:
 * on that AWS is silent, and coming again loses nothing.
 *
 * @param sequenceNumbers those of the batch, in its order
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

/** Sequence numbers outgrow a double and differ in length: they are compared as integers. */
function lowestOf(sequenceNumbers: readonly string[]): string | undefined {
  return sequenceNumbers.reduce<string | undefined>(
    (lowest, next) => (lowest === undefined || BigInt(next) < BigInt(lowest) ? next : lowest),
    undefined,
  );
}

/** A batch, or what is left of one, with the failures that count against its retries. */
export interface BatchAttempt<T> {
  readonly records: readonly T[];
  readonly failures: number;
}

export type RetryDecision<T> =
  /** `completed` are done; `next` are invoked in turn, before any later batch of the lane. */
  | {
      readonly kind: 'continue';
      readonly completed: readonly T[];
      readonly next: readonly BatchAttempt<T>[];
    }
  /** The same again, after a pause. */
  | { readonly kind: 'retry'; readonly next: BatchAttempt<T> }
  /** The retries are used up: the records are discarded. */
  | { readonly kind: 'exhausted'; readonly failures: number };

export interface RetryPolicy {
  /** `Infinity` for no end. */
  readonly maxRetries: number;
  readonly bisects: boolean;
}

/**
 * What comes after the function ran.
 *
 * A checkpoint behind the first record is progress: the rest is a batch of its own, whose retries
 * count from nought (so seen on AWS), and with bisecting on it is not halved beside that. A failure
 * of the whole batch halves it where bisecting is on, and that consumes no retry; a batch of one,
 * and any batch without bisecting, consumes one.
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
    const next = bisect(records).map((half) => ({ records: half, failures }));
    return { kind: 'continue', completed: [], next };
  }
  if (failures >= policy.maxRetries) return { kind: 'exhausted', failures: failures + 1 };
  return { kind: 'retry', next: { records, failures: failures + 1 } };
}

/** The two halves of a batch of at least two, in order. */
function bisect<T>(batch: readonly T[]): readonly [readonly T[], readonly T[]] {
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)];
}
