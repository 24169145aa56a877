import { beforeEach, expect, it } from 'vitest';
import type { ModelVersions } from '../../../src/api/stores/model-versions.ts';
import type { ModelVersion } from '../../../src/core/model/model-version.ts';
import type { RegistryEntry } from '../../../src/core/model/registry-entry.ts';
import type { RegistryWriter } from '../../../src/registrar/register-model.ts';
import type { ModelRegistry } from '../../../src/stores/model-registry.ts';

/** The interfaces of an empty registry: for readers and rollbacks, and for the registrar. */
export interface RegistryUnderTest {
  readonly registry: ModelRegistry & ModelVersions;
  readonly writer: RegistryWriter;
}

const orders: RegistryEntry = {
  id: 'orders',
  version: 3,
  title: 'Orders',
  statuses: ['New'],
  milestones: [{ id: 'paid', label: 'Paid' }],
  eventTypes: [],
  functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:orders',
  functionVersion: '7',
  registeredAt: '2026-11-21T10:00:00.000Z',
};

const published = (number: number, functionArn = orders.functionArn): ModelVersion => ({
  functionVersion: String(number),
  version: Math.ceil(number / 2),
  functionArn: `${functionArn}:${number}`,
  registeredAt: orders.registeredAt,
});

/**
 * Defines the tests of `DynamoDbModelRegistry` and `DynamoDbRegistryWriter`, which run on an in-memory DynamoDB and on
 * the embedded DynamoDB.
 */
export function modelRegistryCases(empty: () => Promise<RegistryUnderTest>): void {
  let registry: RegistryUnderTest['registry'];
  let writer: RegistryWriter;
  beforeEach(async () => {
    ({ registry, writer } = await empty());
  });
  const numbers = async (id = 'orders') =>
    (await registry.versions(id)).map(({ functionVersion }) => Number(functionVersion));

  it('returns stored entries, or undefined for missing entries', async () => {
    const diagram = { nodes: [{ id: 'n', label: 'New' }], edges: [] };
    await writer.put({ ...orders, diagram });
    for (const read of ['get', 'getConsistent'] as const) {
      expect(await registry[read]('orders')).toEqual({ ...orders, diagram });
      expect(await registry[read]('returns')).toBeUndefined();
    }
  });

  it('stores and replaces an entry without a diagram or a published version', async () => {
    await writer.put({ ...orders, diagram: undefined, functionVersion: undefined });
    await writer.put({ ...orders, version: 4, diagram: undefined });
    expect(await registry.get('orders')).toEqual({ ...orders, version: 4 });
  });

  it('lists all models by id, over several pages', async () => {
    // Together, the entries exceed 1 MB, the maximum size of a DynamoDB response.
    const title = 'x'.repeat(300_000);
    const ids = ['d', 'b', 'e', 'a', 'c'];
    await Promise.all(ids.map((id) => writer.put({ ...orders, id, title })));
    expect((await registry.list()).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('returns the entry that it replaces and the versions that it keeps', async () => {
    expect(await writer.put(orders)).toBeUndefined();
    expect(await writer.put({ ...orders, version: 4 })).toEqual(orders);
    expect(await writer.keepVersion('orders', published(1))).toEqual([published(1)]);
    expect(await writer.keepVersion('orders', published(2))).toEqual([published(2), published(1)]);
  });

  it('removes an entry only if it refers to the given function', async () => {
    await writer.put(orders);
    expect(await writer.remove('orders', `${orders.functionArn}-2`)).toBe('kept');
    expect(await registry.get('orders')).toEqual(orders);
    expect(await writer.remove('orders', orders.functionArn)).toBe('removed');
    expect(await registry.get('orders')).toBeUndefined();
  });

  it('keeps versions, newest first, separately from models', async () => {
    await writer.put(orders);
    expect(await registry.versions('orders')).toEqual([]);
    await writer.keepVersion('orders', published(1));
    await writer.keepVersion('orders', published(2));
    expect(await registry.versions('orders')).toEqual([published(2), published(1)]);
    expect(await registry.versions('returns')).toEqual([]);
    expect(await registry.list()).toEqual([orders]);
  });

  it('keeps one copy of a version that is registered repeatedly', async () => {
    await writer.keepVersion('orders', published(1));
    await writer.keepVersion('orders', published(1));
    expect(await numbers()).toEqual([1]);
  });

  it('keeps the newest 20 versions', async () => {
    for (let number = 1; number <= 22; number++)
      await writer.keepVersion('orders', published(number));
    expect(await numbers()).toEqual(Array.from({ length: 20 }, (_, index) => 22 - index));
  });

  it('drops the versions of a failed deployment and of another function', async () => {
    await writer.keepVersion('orders', published(9));
    await writer.keepVersion('orders', published(10));
    await writer.keepVersion('orders', published(9));
    expect(await numbers()).toEqual([9]);
    await writer.keepVersion('orders', published(12, `${orders.functionArn}-2`));
    expect(await numbers()).toEqual([12]);
  });

  it('keeps the versions that different models register concurrently', async () => {
    await writer.keepVersion('orders', published(1));
    const ids = ['orders', 'returns'];
    await Promise.all(ids.map((id) => writer.keepVersion(id, published(2))));
    expect(await numbers('orders')).toEqual([2, 1]);
    expect(await numbers('returns')).toEqual([2]);
  });

  it('removes the versions together with their model', async () => {
    await writer.put({ ...orders, functionArn: `${orders.functionArn}:7` });
    await writer.keepVersion('orders', published(7));
    expect(await writer.remove('orders', `${orders.functionArn}-2`)).toBe('kept');
    expect(await numbers()).toEqual([7]);
    expect(await writer.remove('orders', orders.functionArn)).toBe('removed');
    expect(await numbers()).toEqual([]);
    expect(await registry.get('orders')).toBeUndefined();
  });

  it('removes the versions of a model whose removal was interrupted', async () => {
    await writer.keepVersion('orders', published(7));
    expect(await writer.remove('orders', orders.functionArn)).toBe('removed');
    expect(await numbers()).toEqual([]);
  });

  it('replaces an entry only if it has not changed since it was read', async () => {
    await writer.put(orders);
    const older = { ...orders, version: 2, functionVersion: '6', functionArn: 'old:6' };
    expect(await registry.replace(orders, older)).toBe('replaced');
    expect(await registry.get('orders')).toEqual(older);
    expect(await registry.replace(orders, { ...orders, functionArn: 'older:5' })).toBe('conflict');
    const later = { ...older, registeredAt: '2026-11-21T11:00:00.000Z' };
    await writer.put(later);
    expect(await registry.replace(older, orders)).toBe('conflict');
    expect(await registry.get('orders')).toEqual(later);
  });

  it('does not restore a model that was removed', async () => {
    await writer.put(orders);
    await writer.remove('orders', orders.functionArn);
    expect(await registry.replace(orders, orders)).toBe('conflict');
    expect(await registry.list()).toEqual([]);
  });
}
