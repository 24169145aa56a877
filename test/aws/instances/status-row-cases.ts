import { describe, expect, it } from 'vitest';
import type { InstanceScanner } from '../../../src/api/stores/instance-scanner.ts';
import type { DueTimerIndex } from '../../../src/clock/due-timer-index.ts';
import type { InstanceKey } from '../../../src/core/event/event.ts';
import { headOf } from '../../../src/core/history/commit.ts';
import { statusRow } from '../../../src/core/status/status-row.ts';
import type { StatusRows } from '../../../src/model-runtime/audit/status-rows.ts';
import type { ParkingStore } from '../../../src/parking/parking-store.ts';
import type { InstanceStore } from '../../../src/stores/instance-store.ts';
import { commitOf } from '../../support/data/commits.ts';
import { placed } from '../../support/data/events.ts';

/** The status rows under test, and the stores that write instances and parked events. */
export interface RowsUnderTest {
  readonly store: InstanceStore;
  readonly parking: ParkingStore;
  readonly rows: StatusRows;
  readonly walk: InstanceScanner;
  readonly dueTimers: Pick<DueTimerIndex, 'record'>;
}

let drawn = 0;
const newModel = () => `m${++drawn}`;

/**
 * Defines the tests of `DynamoDbStatusRows` and `DynamoDbInstanceScanner`, which run on an in-memory DynamoDB and on
 * the embedded DynamoDB.
 */
export function statusRowCases(underTest: () => RowsUnderTest): void {
  const dueAt = '2026-02-01T00:00:00.000Z';
  const withTimer = (key: InstanceKey, version: number, status: string) =>
    headOf(
      commitOf(key, version, {
        description: { status, keys: ['customer:42'] },
        timers: [{ name: 't', dueAt, run: 'r' }],
      }),
    );
  const key = () => ({ model: newModel(), transaction: 'T1' });

  describe('status rows', () => {
    it('are read back as they were written, and are undefined before the first write', async () => {
      const { store, rows } = underTest();
      const instance = key();
      expect(await rows.read(instance)).toBeUndefined();
      const head = withTimer(instance, 1, 'Open');
      await store.writeStatus([head]);
      expect(await rows.read(instance)).toEqual({ version: 1, row: statusRow(head) });
    });

    it('are read back for an instance that has not started', async () => {
      const { store, rows } = underTest();
      const head = headOf(commitOf(key(), 1, { startedAt: null }));
      await store.writeStatus([head]);
      expect(await rows.read(head)).toEqual({ version: 1, row: statusRow(head) });
      expect(await rows.rewrite(head, await rows.read(head))).toBe('written');
      expect(await rows.read(head)).toEqual({ version: 1, row: statusRow(head) });
    });

    it('are read back after the clock has marked their instance as late', async () => {
      const { store, rows, dueTimers } = underTest();
      const instance = key();
      const head = headOf(commitOf(instance, 1, { lateAt: dueAt }));
      await store.writeStatus([head]);
      const visit = { instance, version: 1, lateSince: dueAt };
      expect(await dueTimers.record([visit])).toEqual([{ value: undefined }]);
      expect(await rows.read(instance)).toEqual({ version: 1, row: statusRow(head) });
    });

    it('are rewritten if they are missing or wrong', async () => {
      const { store, rows } = underTest();
      const instance = key();
      const head = withTimer(instance, 2, 'Open');
      expect(await rows.rewrite(head, undefined)).toBe('written');
      expect(await rows.read(instance)).toEqual({ version: 2, row: statusRow(head) });
      await store.writeStatus([withTimer(instance, 7, 'From the future')]);
      expect(await rows.rewrite(head, await rows.read(instance))).toBe('written');
      expect(await rows.read(instance)).toEqual({ version: 2, row: statusRow(head) });
    });

    it('do not overwrite a concurrent change', async () => {
      const { store, rows } = underTest();
      const instance = key();
      const before = await rows.read(instance);
      const newer = withTimer(instance, 3, 'Further');
      await store.writeStatus([newer]);
      const older = withTimer(instance, 2, 'Open');
      expect(await rows.rewrite(older, before)).toBe('conflict');
      expect(await rows.rewrite(older, { version: 1, row: undefined })).toBe('conflict');
      expect(await rows.read(instance)).toEqual({ version: 3, row: statusRow(newer) });
    });
  });

  describe('a scan of the transactions of a model', () => {
    async function all(model: string, limit: number): Promise<string[]> {
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await underTest().walk.scan(model, { limit, ...(cursor && { cursor }) });
        expect(page.items.length).toBeLessThanOrEqual(limit);
        found.push(...page.items.map(({ transaction }) => transaction));
        cursor = page.cursor;
      } while (cursor !== undefined);
      return found;
    }

    it('finds each instance by its stored items, even without a status row', async () => {
      const { store, parking } = underTest();
      const [model, other] = [newModel(), newModel()];
      const transactions = Array.from({ length: 23 }, (_, n) => `T ${n}/é`);
      for (const transaction of transactions)
        for (const version of [1, 2, 3])
          await store.commit([commitOf({ model, transaction }, version)]);
      await store.commit([commitOf({ model: other, transaction: 'no' }, 1)]);
      const { event, position } = placed(1, { model, transaction: 'queued' });
      const why = { reason: 'x', fault: true, at: dueAt, letterId: 'l' };
      await parking.park([{ event, position, ...why }]);
      for (const limit of [1, 5, 100])
        expect([...new Set(await all(model, limit))].toSorted()).toEqual(
          [...transactions, 'queued'].toSorted(),
        );
    });

    it('continues after a given instance', async () => {
      const { store, walk } = underTest();
      const model = newModel();
      for (const transaction of ['a', 'b', 'c'])
        await store.commit([commitOf({ model, transaction }, 1)]);
      const [first, ...others] = await all(model, 100);
      const cursor = walk.cursorAfter({ model, transaction: first! });
      const rest: string[] = [];
      for (let from: string | undefined = cursor; from; ) {
        const page = await walk.scan(model, { limit: 100, cursor: from });
        rest.push(...page.items.map(({ transaction }) => transaction));
        from = page.cursor;
      }
      expect(rest).toEqual(others);
    });

    it('finds nothing with an invalid cursor', async () => {
      const page = { limit: 10, cursor: '["one"]' };
      expect(await underTest().walk.scan('none', page)).toEqual({ items: [] });
    });
  });
}
