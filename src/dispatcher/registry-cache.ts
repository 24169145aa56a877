import { type Clock, timeLeft } from '../common/clock.ts';
import type { RegistryEntry } from '../core/model/registry-entry.ts';
import type { ModelRegistry } from '../stores/model-registry.ts';

/** How long an entry is cached, in milliseconds. */
const entryTtl = 5_000;

/**
 * Caches registry entries for five seconds.
 *
 * An unregistered model's events become dead letters. The cache therefore never stores that a model is missing, and it
 * reports a missing model only after a strongly consistent read. An eventually consistent read can miss a model for
 * about a second after its registration.
 */
export class RegistryCache {
  readonly #registry: ModelRegistry;
  readonly #clock: Clock;
  readonly #kept = new Map<string, { entry: RegistryEntry; readAt: number }>();

  constructor(registry: ModelRegistry, clock: Clock) {
    this.#registry = registry;
    this.#clock = clock;
  }

  /** Returns a model's entry, or undefined if the model is not registered. */
  async get(id: string): Promise<RegistryEntry | undefined> {
    const kept = this.#kept.get(id);
    if (kept && timeLeft(this.#clock, kept.readAt, entryTtl) > 0) return kept.entry;
    return this.#keep(
      id,
      async () => (await this.#registry.get(id)) ?? (await this.#registry.getConsistent(id)),
    );
  }

  /** Reads a model's entry with strong consistency; returns undefined if the model is not registered. */
  getLatest(id: string): Promise<RegistryEntry | undefined> {
    return this.#keep(id, () => this.#registry.getConsistent(id));
  }

  async #keep(
    id: string,
    read: () => Promise<RegistryEntry | undefined>,
  ): Promise<RegistryEntry | undefined> {
    const now = this.#clock.now();
    const entry = await read();
    if (entry) this.#kept.set(id, { entry, readAt: now });
    else this.#kept.delete(id);
    return entry;
  }

  /** Makes the next `get` read the entry again. Called after a failure because the function may have been replaced. */
  invalidate(id: string): void {
    this.#kept.delete(id);
  }
}
