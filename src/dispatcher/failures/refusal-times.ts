import { RecentMap } from '../../common/recent-map.ts';

/** The minimum number of stream records to remember. A batch has at most 10,000 records. */
const rememberedRecords = 10_000;

/**
 * The times at which this process first saw AWS reject each stream record. The age of a record cannot replace this
 * time: after a backlog, a record is hours old at its first attempt.
 *
 * The times are lost when the process ends. This loss only postpones parking, because the next delivery records a new
 * time.
 */
export class RefusalTimes {
  readonly #firsts = new RecentMap<number>(rememberedRecords);

  /**
   * Returns the time of a record's first rejection, which is the current time if no earlier rejection is known. Times
   * are in milliseconds since 1970.
   */
  firstOf(recordId: string, now: number): number {
    const first = this.#firsts.get(recordId) ?? now;
    this.#firsts.set(recordId, first);
    return first;
  }
}
