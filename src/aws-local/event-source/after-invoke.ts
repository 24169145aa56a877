import { bisect } from './batch.ts';
import type { Verdict } from './response.ts';

/** A batch, or what is left of one, with the failures that count against its retries. */
export interface Attempt<T> {
  readonly records: readonly T[];
  readonly failures: number;
}

export type AfterInvoke<T> =
  /** `completed` are done; `next` are invoked in turn, before any later batch of the lane. */
  | {
      readonly kind: 'goOn';
      readonly completed: readonly T[];
      readonly next: readonly Attempt<T>[];
    }
  /** The same again, after a pause. */
  | { readonly kind: 'retry'; readonly next: Attempt<T> }
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
export function afterInvoke<T>(
  { records, failures }: Attempt<T>,
  verdict: Verdict,
  policy: RetryPolicy,
): AfterInvoke<T> {
  if (verdict.kind === 'succeeded') return { kind: 'goOn', completed: records, next: [] };

  if (verdict.kind === 'checkpoint' && verdict.index > 0) {
    const rest = { records: records.slice(verdict.index), failures: 0 };
    return { kind: 'goOn', completed: records.slice(0, verdict.index), next: [rest] };
  }
  if (verdict.kind === 'failed' && policy.bisects && records.length > 1) {
    const next = bisect(records).map((half) => ({ records: half, failures }));
    return { kind: 'goOn', completed: [], next };
  }
  if (failures >= policy.maxRetries) return { kind: 'exhausted', failures: failures + 1 };
  return { kind: 'retry', next: { records, failures: failures + 1 } };
}
