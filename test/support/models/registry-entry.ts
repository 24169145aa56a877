import type { RegistryEntry } from '../../../src/core/model/registry-entry.ts';

/** The entry of a model, with default fields. */
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
