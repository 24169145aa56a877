import { type Clock, timeLeft } from '../../common/clock.ts';
import { Deadline } from '../../common/deadline.ts';
import { StepDurations } from '../../core/status/step-durations.ts';
import type { ObservationStore } from '../../stores/observation-store.ts';

/** How long step durations are cached, in milliseconds. */
const cacheTtl = 5_000;
/** The maximum number of models in the cache. */
const maximumModels = 1_000;
/** How long to wait for step durations, in milliseconds. A slower read continues in the background. */
const maximumWait = 1_000;

export interface StepDurationsCacheDependencies {
  readonly observations: Pick<ObservationStore, 'stepDurations'>;
  readonly clock: Clock;
  /** Receives the errors of failed reads. */
  readonly logError: (error: unknown) => void;
}

interface CachedRead {
  readonly startedAt: number;
  readonly reading: Promise<StepDurations>;
  /** The result of the latest successful read; empty if no read has succeeded. */
  lastKnown: StepDurations;
}

/**
 * Caches models' step durations for a few seconds because they change slowly and many requests need them. If step
 * durations cannot be read in time, the cache returns the latest known durations, or none: an instance can be shown
 * without estimates.
 */
export class StepDurationsCache {
  readonly #dependencies: StepDurationsCacheDependencies;
  readonly #reads = new Map<string, CachedRead>();

  constructor(dependencies: StepDurationsCacheDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the step durations of a model, which are at most `cacheTtl` old unless they cannot be read in time. */
  async of(model: string): Promise<StepDurations> {
    const { clock } = this.#dependencies;
    const { reading, lastKnown } = this.#read(model);
    const read = await Deadline.in(clock, maximumWait).race(reading);
    return read === 'late' ? lastKnown : read;
  }

  #read(model: string): CachedRead {
    const { observations, clock, logError } = this.#dependencies;
    const cached = this.#reads.get(model);
    if (cached && timeLeft(clock, cached.startedAt, cacheTtl) > 0) return cached;
    const lastKnown = cached?.lastKnown ?? new StepDurations();
    const reading = observations.stepDurations(model).catch((error: unknown) => {
      logError(error);
      return lastKnown;
    });
    const read: CachedRead = { startedAt: clock.now(), reading, lastKnown };
    void reading.then((stepDurations) => (read.lastKnown = stepDurations));
    // Limit the cache because callers can ask for models that do not exist.
    if (this.#reads.size >= maximumModels) this.#reads.clear();
    this.#reads.set(model, read);
    return read;
  }
}
