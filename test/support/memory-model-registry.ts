import type { RegistryEntry } from '../../src/core/registry-entry.ts';
import type { ModelRegistry } from '../../src/service/ports.ts';

/** A registry in memory. */
export class MemoryModelRegistry implements ModelRegistry {
  readonly entries = new Map<string, RegistryEntry>();
  /** How often each model was asked for. */
  readonly reads = new Map<string, number>();
  /** Called before a model is read; what it throws fails the read. */
  interfere: (id: string) => void = () => {};

  constructor(...entries: readonly RegistryEntry[]) {
    for (const entry of entries) this.entries.set(entry.id, entry);
  }

  async get(id: string): Promise<RegistryEntry | undefined> {
    this.reads.set(id, (this.reads.get(id) ?? 0) + 1);
    await Promise.resolve();
    this.interfere(id);
    return this.entries.get(id);
  }

  list(): Promise<RegistryEntry[]> {
    return Promise.resolve([...this.entries.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)));
  }
}

/** The entry of a model, with the rest filled in. */
export function registryEntry(id: string, more: Partial<RegistryEntry> = {}): RegistryEntry {
  return {
    id,
    version: 1,
    title: `The model ${id}`,
    statuses: ['Low', 'High'],
    milestones: [],
    eventTypes: ['added'],
    functionArn: `arn:aws:lambda:us-east-1:000000000000:function:${id}`,
    registeredAt: '2026-01-01T00:00:00.000Z',
    ...more,
  };
}
