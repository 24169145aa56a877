/** The most that Lambda takes as the payload of a synchronous invocation: 6 MB. */
export const MAX_PAYLOAD_BYTES = 6 * 1024 * 1024;

/** What the event takes beside its records: `{"Records":[]}`, less the comma after the last one. */
const EVENT_BYTES = 13;

export interface BatchLimits {
  readonly maxRecords: number;
  readonly maxBytes: number;
}

/**
 * How many waiting records the next batch takes, and whether that is all it could ever take: then
 * there is nothing to wait for. A record that is too large by itself is a batch of its own.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventsourcemapping.html#invocation-eventsourcemapping-batching
 */
export function cutBatch(
  waiting: readonly { readonly bytes: number }[],
  limits: BatchLimits,
): { readonly count: number; readonly full: boolean } {
  let bytes = EVENT_BYTES;
  let count = 0;
  for (const record of waiting) {
    bytes += record.bytes;
    if (count === limits.maxRecords || (count > 0 && bytes > limits.maxBytes)) {
      return { count, full: true };
    }
    count += 1;
  }
  return { count, full: count === limits.maxRecords || bytes >= limits.maxBytes };
}

/** The two halves of a batch of at least two, in order. */
export function bisect<T>(batch: readonly T[]): readonly [readonly T[], readonly T[]] {
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)];
}

/** How many records at the head of a batch are older than the limit, `Infinity` for no limit. */
export function countExpired(
  batch: readonly { readonly arrivedAt: number }[],
  maxAgeMs: number,
  now: number,
): number {
  const alive = batch.findIndex((record) => now - record.arrivedAt <= maxAgeMs);
  return alive === -1 ? batch.length : alive;
}
