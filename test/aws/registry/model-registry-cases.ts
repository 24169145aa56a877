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

const [earlier, later] = ['2026-11-21T09:59:59.000Z', '2026-11-21T10:00:01.000Z'];

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
    expect(await writer.put(orders)).toEqual({ replaced: undefined });
    expect(await writer.put({ ...orders, version: 4 })).toEqual({ replaced: orders });
    expect(await writer.keepVersion('orders', published(1))).toEqual([published(1)]);
    expect(await writer.keepVersion('orders', published(2))).toEqual([published(2), published(1)]);
  });

  it('removes an entry only if it refers to the given function', async () => {
    await writer.put(orders);
    expect(await writer.remove('orders', `${orders.functionArn}-2`, later)).toBe('kept');
    expect(await registry.get('orders')).toEqual(orders);
    expect(await writer.remove('orders', orders.functionArn, later)).toBe('removed');
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
    expect(await writer.remove('orders', `${orders.functionArn}-2`, later)).toBe('kept');
    expect(await numbers()).toEqual([7]);
    expect(await writer.remove('orders', orders.functionArn, later)).toBe('removed');
    expect(await numbers()).toEqual([]);
    expect(await registry.get('orders')).toBeUndefined();
  });

  it('removes the versions of a model whose removal was interrupted', async () => {
    await writer.keepVersion('orders', published(7));
    expect(await writer.remove('orders', orders.functionArn, later)).toBe('removed');
    expect(await numbers()).toEqual([]);
  });

  it('replaces an entry only if it has not changed since it was read', async () => {
    await writer.put(orders);
    const older = { ...orders, version: 2, functionVersion: '6', functionArn: 'old:6' };
    expect(await registry.replace(orders, older)).toBe('replaced');
    expect(await registry.get('orders')).toEqual(older);
    expect(await registry.replace(orders, { ...orders, functionArn: 'older:5' })).toBe('conflict');
    const newer = { ...older, registeredAt: later };
    await writer.put(newer);
    expect(await registry.replace(older, orders)).toBe('conflict');
    expect(await registry.get('orders')).toEqual(newer);
  });

  it('does not replace an entry that was registered later', async () => {
    await writer.put(orders);
    const other = { ...orders, version: 4, registeredAt: earlier };
    expect(await writer.put(other, earlier)).toBe('superseded');
    expect(await registry.get('orders')).toEqual(orders);
    const repeated = { ...orders, version: 5 };
    expect(await writer.put(repeated, orders.registeredAt)).toEqual({ replaced: orders });
    expect(await writer.put(other)).toEqual({ replaced: repeated });
  });

  it('does not store a version if another one was registered later', async () => {
    await writer.keepVersion('orders', published(1));
    const other = { ...published(2), registeredAt: earlier };
    expect(await writer.keepVersion('orders', other, earlier)).toBe('superseded');
    expect(await numbers()).toEqual([1]);
    expect(await writer.keepVersion('orders', published(1), orders.registeredAt)).toEqual([
      published(1),
    ]);
    expect(await writer.keepVersion('orders', other)).toEqual([other, published(1)]);
  });

  it('does not remove a model that was registered later', async () => {
    await writer.put(orders);
    await writer.keepVersion('orders', published(7));
    expect(await writer.remove('orders', orders.functionArn, earlier, earlier)).toBe('kept');
    expect(await registry.list()).toEqual([orders]);
    expect(await numbers()).toEqual([7]);
  });

  it('does not remove versions that a later deployment has kept but not yet registered', async () => {
    await writer.put({ ...orders, registeredAt: earlier });
    await writer.keepVersion('orders', published(7));
    expect(await writer.remove('orders', orders.functionArn, earlier, earlier)).toBe('removed');
    expect(await numbers()).toEqual([7]);
  });

  it.each(['removed', 'never registered'])(
    'does not register a model that was %s if it was deleted later',
    async (before) => {
      if (before === 'removed') {
        await writer.put(orders);
        await writer.remove('orders', orders.functionArn, earlier);
      }
      const functionArn = `${orders.functionArn}-2`;
      expect(await writer.remove('orders', functionArn, later, later)).toBe('removed');
      expect(await writer.put(orders, orders.registeredAt)).toBe('superseded');
      expect(await registry.list()).toEqual([]);
      const again = { ...orders, registeredAt: later };
      expect(await writer.put(again, later)).toEqual({ replaced: undefined });
      expect(await registry.list()).toEqual([again]);
    },
  );

  it('knows whether a model was ever registered', async () => {
    expect(await writer.isEmpty()).toBe(true);
    await writer.put(orders);
    expect(await writer.isEmpty()).toBe(false);
  });

  it('does not restore a model that was removed', async () => {
    await writer.put(orders);
    await writer.remove('orders', orders.functionArn, later);
    expect(await registry.replace({ ...orders, registeredAt: later }, orders)).toBe('conflict');
    expect(await registry.list()).toEqual([]);
  });
}
