/** The maximum number of stream records to remember. A batch has at most 10,000 records. */
const maximumRecords = 20_000;

/**
 * The times at which this process first saw AWS reject each stream record. The age of a record cannot replace this
 * time: after a backlog, a record is hours old at its first attempt.
 *
 * The times are lost when the process ends. This loss only postpones parking, because the next delivery records a new
 * time.
 */
export class RefusalTimes {
  readonly #firsts = new Map<string, number>();

  /**
   * Returns the time of a record's first rejection, which is the current time if no earlier rejection is known. Times
   * are in milliseconds since 1970.
   */
  firstOf(recordId: string, now: number): number {
    const known = this.#firsts.get(recordId);
    if (known !== undefined) return known;
    if (this.#firsts.size >= maximumRecords) this.#firsts.delete(this.#firsts.keys().next().value!);
    this.#firsts.set(recordId, now);
    return now;
  }
}
