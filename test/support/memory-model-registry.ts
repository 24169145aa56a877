import type { DescribeInvocation, ModelDescriber } from '../../src/api/stores/model-describer.ts';
import type { ModelVersions } from '../../src/api/stores/model-versions.ts';
import type { ModelVersion } from '../../src/core/model/model-version.ts';
import { addDeployedVersion } from '../../src/core/model/model-version.ts';
import type { RegistryEntry } from '../../src/core/model/registry-entry.ts';
import type { RegistryWriter } from '../../src/registrar/register-model.ts';
import type { ModelRegistry } from '../../src/stores/model-registry.ts';

/** A registry in memory. */
export class MemoryModelRegistry implements ModelRegistry, ModelVersions, RegistryWriter {
  readonly entries = new Map<string, RegistryEntry>();
  readonly #versions = new Map<string, readonly ModelVersion[]>();
  /** How often each model was asked for. */
  readonly reads = new Map<string, number>();
  /** Called before a model is read; what it throws fails the read. */
  interfere: (id: string) => void = () => {};

  constructor(...entries: readonly RegistryEntry[]) {
    for (const entry of entries) this.entries.set(entry.id, entry);
  }

  /** Models that were registered so recently that `get` does not see them. */
  readonly lagging = new Set<string>();

  async get(id: string): Promise<RegistryEntry | undefined> {
    const entry = await this.getConsistent(id);
    return this.lagging.has(id) ? undefined : entry;
  }

  async getConsistent(id: string): Promise<RegistryEntry | undefined> {
    this.reads.set(id, (this.reads.get(id) ?? 0) + 1);
    await Promise.resolve();
    this.interfere(id);
    return this.entries.get(id);
  }

  list(): Promise<RegistryEntry[]> {
    return Promise.resolve([...this.entries.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)));
  }

  async versions(id: string): Promise<readonly ModelVersion[]> {
    await Promise.resolve();
    return this.#versions.get(id) ?? [];
  }

  async replace(before: RegistryEntry, after: RegistryEntry): Promise<'replaced' | 'conflict'> {
    await Promise.resolve();
    const now = this.entries.get(before.id);
    if (now?.functionArn !== before.functionArn || now.registeredAt !== before.registeredAt)
      return 'conflict';
    this.entries.set(after.id, after);
    return 'replaced';
  }

  async put(entry: RegistryEntry): Promise<RegistryEntry | undefined> {
    await Promise.resolve();
    const replaced = this.entries.get(entry.id);
    this.entries.set(entry.id, entry);
    return replaced;
  }

  async keepVersion(id: string, version: ModelVersion): Promise<readonly ModelVersion[]> {
    const kept = addDeployedVersion(await this.versions(id), version);
    this.#versions.set(id, kept);
    return kept;
  }

  async remove(id: string, functionArn: string): Promise<'removed' | 'kept'> {
    await Promise.resolve();
    const named = this.entries.get(id)?.functionArn ?? '';
    if (named !== functionArn && !named.startsWith(`${functionArn}:`)) return 'kept';
    this.entries.delete(id);
    this.#versions.delete(id);
    return 'removed';
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

/** Functions that say what they are: those that are named, by their ARN, and no others. */
export class MemoryDescriber implements ModelDescriber {
  readonly answers = new Map<string, DescribeInvocation>();

  async describe(functionArn: string): Promise<DescribeInvocation> {
    await Promise.resolve();
    const gone = { kind: 'failed', reason: `Function not found: ${functionArn}` } as const;
    return this.answers.get(functionArn) ?? gone;
  }
}
