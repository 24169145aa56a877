import { expect, it } from 'vitest';
import { RegistryCache } from '../../src/dispatcher/registry-cache.ts';
import { ModelRegistryInMemory } from '../support/aws-in-memory/model-registry-in-memory.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { registryEntry } from '../support/models/registry-entry.ts';

it.each<[string, (clock: ManualClock) => unknown]>([
  ['is five seconds old', (clock) => clock.advance(5_000)],
  ['comes from the future, because the clock was set back', (clock) => clock.setBack(60 * 60_000)],
])('the registry cache reads an entry again if it %s', async (_, change) => {
  const clock = new ManualClock();
  const registry = new ModelRegistryInMemory(registryEntry('counter'));
  const cache = new RegistryCache(registry, clock);
  await cache.get('counter');
  registry.register(registryEntry('counter', { version: 2 }));
  expect((await cache.get('counter'))?.version).toBe(1);
  await change(clock);
  expect((await cache.get('counter'))?.version).toBe(2);
});
