/** The number of sequence numbers per millisecond. */
const perMillisecond = 10n ** 12n;

/** The length of a sequence number in digits. AWS uses 21 to 40 digits. */
const digits = 25;

/**
 * Returns the sequence number of the next record. Sequence numbers contain the time, so they increase across restarts
 * even if all earlier records are trimmed. If the clock is set back, the numbers continue from the latest number.
 */
export function nextSequenceNumber(latest: bigint, now: number): bigint {
  const current = firstSequenceNumber(now);
  return current > latest ? current : latest + 1n;
}

/** Returns the first sequence number of a millisecond. */
export function firstSequenceNumber(time: number): bigint {
  return BigInt(time) * perMillisecond;
}

/** Returns the time in a sequence number, in milliseconds since 1970. */
export function timeOf(sequenceNumber: string): number {
  return Number(BigInt(sequenceNumber) / perMillisecond);
}

/** Formats a sequence number with a fixed length so that comparing the texts gives the numeric order. */
export function formatSequenceNumber(sequenceNumber: bigint): string {
  return String(sequenceNumber).padStart(digits, '0');
}
