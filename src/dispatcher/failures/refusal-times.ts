import { RecentMap } from '../../common/recent-map.ts';

/** The minimum number of stream records to remember. A batch has at most 10,000 records. */
const rememberedRecords = 10_000;

/**
 * Remembers since when this process has seen AWS reject each stream record, and since when it has seen each model make
 * progress. A record's age is no substitute: after a backlog, a record is hours old at its first attempt.
 *
 * All times are in milliseconds since 1970. They are lost when the process ends. This only postpones parking, because
 * the next deliveries record new times.
 */
export class RefusalTimes {
  readonly #firsts = new RecentMap<number>(rememberedRecords);
  readonly #progressing = new Map<string, number>();

  /** Returns when a record was first rejected, which is now if no earlier rejection is known. */
  firstOf(recordId: string, now: number): number {
    const first = this.#firsts.get(recordId) ?? now;
    this.#firsts.set(recordId, first);
    return first;
  }

  /**
   * Records the result of a batch for a model.
   *
   * @param isProgressing true if an event was completed; false if AWS rejected all that were attempted.
   */
  noteBatch(model: string, isProgressing: boolean, now: number): void {
    if (!isProgressing) this.#progressing.delete(model);
    else if (!this.#progressing.has(model)) this.#progressing.set(model, now);
  }

  /** Returns true if another model has made progress in all its batches since the given time, or for longer. */
  hasOtherProgressedSince(model: string, time: number): boolean {
    return this.#progressing.entries().some(([other, since]) => other !== model && since <= time);
  }
}
