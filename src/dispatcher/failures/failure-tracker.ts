import { RecentMap } from '../../common/recent-map.ts';

/** The minimum number of stream records to remember. A batch has at most 10,000 records. */
const rememberedRecords = 10_000;

/** The times of the first and the latest batch in a series of successful batches. */
interface Progress {
  readonly since: number;
  readonly latest: number;
}

/**
 * Tracks when this process first saw AWS reject each stream record, and when each model's current series of successful
 * batches began. A record's age is no substitute: after a backlog, a record is hours old at its first attempt.
 *
 * All times are in milliseconds since 1970. They are lost when the process ends. The loss only postpones parking,
 * because the next deliveries record new times.
 */
export class FailureTracker {
  readonly #firsts = new RecentMap<number>(rememberedRecords);
  readonly #progress = new Map<string, Progress>();

  /** Returns when a record was first rejected, which is now if no earlier rejection is known. */
  firstFailureOf(recordId: string, now: number): number {
    const first = this.#firsts.get(recordId) ?? now;
    this.#firsts.set(recordId, first);
    return first;
  }

  /**
   * Records the result of a batch for a model.
   *
   * @param isProgressing true if an event was completed; false if AWS rejected all that were attempted.
   */
  recordBatch(model: string, isProgressing: boolean, now: number): void {
    if (!isProgressing) this.#progress.delete(model);
    else this.#progress.set(model, { since: this.#progress.get(model)?.since ?? now, latest: now });
  }

  /**
   * Returns true if another model completed events before and after a time, and AWS has not rejected a whole batch of
   * that model in between or since.
   */
  hasOtherProgressedSince(model: string, time: number): boolean {
    return this.#progress
      .entries()
      .some(([other, { since, latest }]) => other !== model && since <= time && latest > time);
  }
}
