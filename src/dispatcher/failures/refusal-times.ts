import { RecentMap } from '../../common/recent-map.ts';

/** The minimum number of stream records to remember. A batch has at most 10,000 records. */
const rememberedRecords = 10_000;

/**
 * Remembers when this process first saw AWS reject each stream record. A record's age is no substitute: after a
 * backlog, a record is hours old at its first attempt.
 *
 * The times are lost when the process ends. This only postpones parking, because the next delivery records a new time.
 */
export class RefusalTimes {
  readonly #firsts = new RecentMap<number>(rememberedRecords);

  /**
   * Returns when a record was first rejected, which is now if no earlier rejection is known. Times are in milliseconds
   * since 1970.
   */
  firstOf(recordId: string, now: number): number {
    const first = this.#firsts.get(recordId) ?? now;
    this.#firsts.set(recordId, first);
    return first;
  }
}
