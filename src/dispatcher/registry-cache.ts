import type { Clock } from '../common/clock.ts';
import type { RegistryEntry } from '../core/model/registry-entry.ts';
import type { ModelRegistry } from '../stores/model-registry.ts';

/** How long an entry is used without reading it again, in milliseconds. */
const entryTtl = 5_000;

/**
 * Keeps registry entries for a few seconds.
 *
 * That a model is missing makes its events dead letters, so it is never kept and never concluded from an
 * eventually consistent read alone: that may not see a model for about a second after it is registered.
 */
export class RegistryCache {
  readonly #registry: ModelRegistry;
  readonly #clock: Clock;
  readonly #kept = new Map<string, { entry: RegistryEntry; until: number }>();

  constructor(registry: ModelRegistry, clock: Clock) {
    this.#registry = registry;
    this.#clock = clock;
  }

  /** The entry of a model, or undefined when there is no such model. */
  async get(id: string): Promise<RegistryEntry | undefined> {
    const now = this.#clock.now();
    const kept = this.#kept.get(id);
    if (kept && kept.until > now) return kept.entry;
    const entry = (await this.#registry.get(id)) ?? (await this.#registry.getConsistent(id));
    if (entry) this.#kept.set(id, { entry, until: now + entryTtl });
    else this.#kept.delete(id);
    return entry;
  }

  /** The next `get` reads it again: its function did not answer, and may have been replaced. */
  invalidate(id: string): void {
    this.#kept.delete(id);
  }
}
