/** What an answer of the function says of its batch. */
export type Verdict =
  | { readonly kind: 'succeeded' }
  /** The records before `index` are done; that one and everything behind it comes again. */
  | { readonly kind: 'checkpoint'; readonly index: number }
  | { readonly kind: 'failed' };

const SUCCEEDED: Verdict = { kind: 'succeeded' };
const FAILED: Verdict = { kind: 'failed' };

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
export function readResponse(response: unknown, sequenceNumbers: readonly string[]): Verdict {
  if (response === null || response === undefined || response === '') return SUCCEEDED;
  if (typeof response !== 'object') return FAILED;
  if (Array.isArray(response)) return response.length === 0 ? SUCCEEDED : FAILED;

  const failures = 'batchItemFailures' in response ? response.batchItemFailures : null;
  if (failures === null || failures === undefined) return SUCCEEDED;
  if (!Array.isArray(failures)) return FAILED;

  const reported = new Set<unknown>(failures.map(identifierOf));
  if (reported.size === 0) return SUCCEEDED;
  const inBatch = sequenceNumbers.filter((sequenceNumber) => reported.has(sequenceNumber));
  const lowest = lowestOf(inBatch);
  if (lowest === undefined || inBatch.length < reported.size) return FAILED;
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
