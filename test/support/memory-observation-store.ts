import type { MinuteCount } from '../../src/core/status/event-rate.ts';
import { Pace } from '../../src/core/status/pace.ts';
import type { ObservationStore } from '../../src/stores/observation-store.ts';

/** What there was to see, in memory. */
export class MemoryObservationStore implements ObservationStore {
  readonly counts = new Map<string, MinuteCount[]>();
  readonly paces = new Map<string, Pace>();
  /** How often a pace was read. */
  reads = 0;
  /** How often another writer is first still. */
  conflicts = 0;
  failure: Error | undefined;

  addEvents(model: string, counts: readonly MinuteCount[]): Promise<void> {
    if (this.failure) return Promise.reject(this.failure);
    this.counts.set(model, [...(this.counts.get(model) ?? []), ...counts]);
    return Promise.resolve();
  }

  addPace(model: string, pace: Pace): Promise<'added' | 'conflict'> {
    if (this.conflicts > 0) {
      this.conflicts--;
      return Promise.resolve('conflict');
    }
    this.paces.set(model, this.#paceOf(model));
    this.paces.get(model)!.merge(pace);
    return Promise.resolve('added');
  }

  events(models: readonly string[]): Promise<Map<string, readonly MinuteCount[]>> {
    return Promise.resolve(new Map(models.map((id) => [id, this.counts.get(id) ?? []])));
  }

  pace(model: string): Promise<Pace> {
    this.reads++;
    return this.failure ? Promise.reject(this.failure) : Promise.resolve(this.#paceOf(model));
  }

  #paceOf(model: string): Pace {
    return Pace.from(this.paces.get(model)?.toStored() ?? {});
  }
}
