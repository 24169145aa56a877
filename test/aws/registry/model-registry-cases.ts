import { beforeEach, expect, it } from 'vitest';
import type { ModelVersions } from '../../../src/api/stores/model-versions.ts';
import type { ModelVersion } from '../../../src/core/model/model-version.ts';
import { parseDescription, type RegistryEntry } from '../../../src/core/model/registry-entry.ts';
import type { RegistryRequest, RegistryWriter } from '../../../src/registrar/register-model.ts';
import type { ModelRegistry } from '../../../src/stores/model-registry.ts';
import { registryRequest } from '../../support/models/registry-request.ts';

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
  registeredBy: 'stack/Registration',
};

const [earlier, later] = ['2026-11-21T09:59:59.000Z', '2026-11-21T10:00:01.000Z'];

const published = (number: number, functionArn = orders.functionArn): ModelVersion => ({
  functionVersion: String(number),
  version: Math.ceil(number / 2),
  functionArn: `${functionArn}:${number}`,
  registeredAt: orders.registeredAt,
});

/** A request for the resource of the model `orders`. */
const request = (more: Partial<RegistryRequest> = {}) =>
  registryRequest({ resource: orders.registeredBy, at: orders.registeredAt, ...more });

/** A request whose time is known. */
const sentAt = (at: string, more: Partial<RegistryRequest> = {}) =>
  request({ at, isTimed: true, ...more });

const deletion = (more: Partial<RegistryRequest> = {}) =>
  request({ type: 'Delete', at: later, ...more });

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

  it('restores an entry with the largest description if its move to another resource is rolled back', async () => {
    const large = { ...orders, ...parseDescription({ ...orders, title: 'x'.repeat(194_000) }) };
    await writer.put(large, request({ type: 'Create' }));
    const other = 'stack/Other';
    const at = later;
    await writer.put(
      { ...large, registeredAt: at },
      request({ type: 'Create', resource: other, at }),
    );
    await writer.remove('orders', request({ type: 'Delete', resource: other, at }));
    expect(await registry.get('orders')).toEqual({ ...large, registeredAt: at });
  });

  it('returns stored entries, or undefined for missing entries', async () => {
    const diagram = { nodes: [{ id: 'n', label: 'New' }], edges: [] };
    await writer.put({ ...orders, diagram }, request());
    for (const read of ['get', 'getConsistent'] as const) {
      expect(await registry[read]('orders')).toEqual({ ...orders, diagram });
      expect(await registry[read]('returns')).toBeUndefined();
    }
  });

  it('stores and replaces an entry without a diagram or a published version', async () => {
    await writer.put({ ...orders, diagram: undefined, functionVersion: undefined }, request());
    await writer.put({ ...orders, version: 4, diagram: undefined }, request());
    expect(await registry.get('orders')).toEqual({ ...orders, version: 4 });
  });

  it('lists all models by id, over several pages', async () => {
    // Together, the entries exceed 1 MB, the maximum size of a DynamoDB response.
    const title = 'x'.repeat(300_000);
    const ids = ['d', 'b', 'e', 'a', 'c'];
    await Promise.all(ids.map((id) => writer.put({ ...orders, id, title }, request())));
    expect((await registry.list()).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('returns the entry that it replaces and the versions that it keeps', async () => {
    expect(await writer.put(orders, request())).toEqual({ replaced: undefined });
    expect(await writer.put({ ...orders, version: 4 }, request())).toEqual({ replaced: orders });
    expect(await writer.keepVersion('orders', published(1), request())).toEqual([published(1)]);
    expect(await writer.keepVersion('orders', published(2), request())).toEqual([
      published(2),
      published(1),
    ]);
  });

  it('removes the entry and the versions only if the deleted resource registered them', async () => {
    await writer.put({ ...orders, functionArn: `${orders.functionArn}:7` }, request());
    await writer.keepVersion('orders', published(7), request());
    await writer.remove('orders', deletion({ resource: 'stack/Another' }));
    expect(await registry.list()).toMatchObject([{ id: 'orders' }]);
    expect(await numbers()).toEqual([7]);
    await writer.remove('orders', deletion());
    expect(await registry.get('orders')).toBeUndefined();
    expect(await registry.list()).toEqual([]);
    expect(await numbers()).toEqual([]);
  });

  it('keeps versions, newest first, separately from models', async () => {
    await writer.put(orders, request());
    expect(await registry.versions('orders')).toEqual([]);
    await writer.keepVersion('orders', published(1), request());
    await writer.keepVersion('orders', published(2), request());
    expect(await registry.versions('orders')).toEqual([published(2), published(1)]);
    expect(await registry.versions('returns')).toEqual([]);
    expect(await registry.list()).toEqual([orders]);
  });

  it('keeps one copy of a version that is registered repeatedly', async () => {
    await writer.keepVersion('orders', published(1), request());
    await writer.keepVersion('orders', published(1), request());
    expect(await numbers()).toEqual([1]);
  });

  it('keeps the newest 20 versions', async () => {
    for (let number = 1; number <= 22; number++)
      await writer.keepVersion('orders', published(number), request());
    expect(await numbers()).toEqual(Array.from({ length: 20 }, (_, index) => 22 - index));
  });

  it('drops the versions of a failed deployment and of another function', async () => {
    await writer.keepVersion('orders', published(9), request());
    await writer.keepVersion('orders', published(10), request());
    await writer.keepVersion('orders', published(9), request());
    expect(await numbers()).toEqual([9]);
    await writer.keepVersion('orders', published(12, `${orders.functionArn}-2`), request());
    expect(await numbers()).toEqual([12]);
  });

  it('keeps the versions that different models register concurrently', async () => {
    await writer.keepVersion('orders', published(1), request());
    const ids = ['orders', 'returns'];
    await Promise.all(ids.map((id) => writer.keepVersion(id, published(2), request())));
    expect(await numbers('orders')).toEqual([2, 1]);
    expect(await numbers('returns')).toEqual([2]);
  });

  it('removes the versions of a model whose removal was interrupted', async () => {
    await writer.keepVersion('orders', published(7), request());
    await writer.remove('orders', deletion());
    expect(await numbers()).toEqual([]);
  });

  it('replaces an entry only if it has not changed since it was read', async () => {
    await writer.put(orders, request());
    const older = { ...orders, version: 2, functionVersion: '6', functionArn: 'old:6' };
    expect(await registry.replace(orders, older)).toBe('replaced');
    expect(await registry.get('orders')).toEqual(older);
    expect(await registry.replace(orders, { ...orders, functionArn: 'older:5' })).toBe('conflict');
    const newer = { ...older, registeredAt: later };
    await writer.put(newer, request());
    expect(await registry.replace(older, orders)).toBe('conflict');
    expect(await registry.get('orders')).toEqual(newer);
  });

  it('does not replace an entry that was registered later', async () => {
    await writer.put(orders, request());
    const other = { ...orders, version: 4, registeredAt: earlier };
    expect(await writer.put(other, sentAt(earlier))).toBe('superseded');
    expect(await registry.get('orders')).toEqual(orders);
    const repeated = { ...orders, version: 5 };
    expect(await writer.put(repeated, sentAt(orders.registeredAt))).toEqual({ replaced: orders });
    expect(await writer.put(other, request())).toEqual({ replaced: repeated });
  });

  it('does not store a version if another one was registered later', async () => {
    await writer.keepVersion('orders', published(1), request());
    const other = { ...published(2), registeredAt: earlier };
    expect(await writer.keepVersion('orders', other, sentAt(earlier))).toBe('superseded');
    expect(await numbers()).toEqual([1]);
    expect(await writer.keepVersion('orders', published(1), sentAt(orders.registeredAt))).toEqual([
      published(1),
    ]);
    expect(await writer.keepVersion('orders', other, request())).toEqual([other, published(1)]);
  });

  it('does not remove a model that was registered later', async () => {
    await writer.put(orders, request());
    await writer.keepVersion('orders', published(7), request());
    await writer.remove('orders', sentAt(earlier, { type: 'Delete' }));
    expect(await registry.list()).toEqual([orders]);
    expect(await numbers()).toEqual([7]);
  });

  it('does not remove versions that a later deployment has kept but not yet registered', async () => {
    await writer.put({ ...orders, registeredAt: earlier }, request({ at: earlier }));
    await writer.keepVersion('orders', published(7), request());
    await writer.remove('orders', sentAt(earlier, { type: 'Delete' }));
    expect(await registry.list()).toEqual([]);
    expect(await numbers()).toEqual([7]);
  });

  it.each(['removed', 'never registered'])(
    'does not register a model that was %s if it was deleted later',
    async (before) => {
      if (before === 'removed') {
        await writer.put(orders, request());
        await writer.remove('orders', deletion({ at: earlier }));
      }
      await writer.remove('orders', sentAt(later, { type: 'Delete' }));
      expect(await writer.put(orders, sentAt(orders.registeredAt))).toBe('superseded');
      const kept = await writer.keepVersion('orders', published(7), sentAt(orders.registeredAt));
      expect(kept).toBe('superseded');
      expect(await registry.list()).toEqual([]);
      const again = { ...orders, registeredAt: later };
      expect(await writer.put(again, sentAt(later))).toEqual({ replaced: undefined });
      expect(await registry.list()).toEqual([again]);
    },
  );

  it('knows whether a model was ever registered', async () => {
    expect(await writer.isEmpty()).toBe(true);
    await writer.put(orders, request());
    expect(await writer.isEmpty()).toBe(false);
  });

  it('does not restore a model that was removed', async () => {
    await writer.put(orders, request());
    await writer.remove('orders', deletion());
    expect(await registry.replace({ ...orders, registeredAt: later }, orders)).toBe('conflict');
    expect(await registry.list()).toEqual([]);
  });
}
