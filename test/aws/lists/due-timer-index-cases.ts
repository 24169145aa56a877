import { describe, expect, it } from 'vitest';
import type { DueTimerIndex, InstanceTimers } from '../../../src/clock/due-timer-index.ts';
import type { Timer } from '../../../src/core/effects/timer.ts';
import type { InstanceKey } from '../../../src/core/event/event.ts';
import type { Commit } from '../../../src/core/history/commit.ts';
import type { ParkingStore } from '../../../src/parking/parking-store.ts';
import type { InstanceStore } from '../../../src/stores/instance-store.ts';
import { commitOf } from '../../support/data/commits.ts';
import { placed } from '../../support/data/events.ts';

/** An index, and the stores whose writes update it. */
export interface IndexUnderTest {
  readonly index: DueTimerIndex;
  readonly store: InstanceStore;
  readonly parking: ParkingStore;
}

let made = 0;
const newKey = (): InstanceKey => ({ model: 'm', transaction: `due ${++made} "🚲"` });
const timer = (name: string, dueAt: string): Timer => ({ name, dueAt, run: 'run' });
const moment = (minute: number) => `2026-01-01T00:0${minute}:00.000Z`;

/** Defines the tests of `DynamoDbDueTimerIndex`, which run on an in-memory DynamoDB and on the embedded DynamoDB. */
export function dueTimerIndexCases(underTest: () => IndexUnderTest): void {
  const write = async (...commits: Commit[]) => {
    const { store } = underTest();
    for (const answer of await store.commit(commits))
      expect(answer).toEqual({ value: 'committed' });
    await store.writeStatus(commits);
  };
  const inPartitions = async (by: string) => {
    const { index } = underTest();
    const walks = (await index.partitions()).map(async (partition) =>
      (await Array.fromAsync(index.dueInstances(partition, by))).flat(),
    );
    return Promise.all(walks);
  };
  const isDue = async (key: InstanceKey, by: string) =>
    (await inPartitions(by)).flat().some(({ transaction }) => transaction === key.transaction);
  const waitingOf = async (key: InstanceKey) => {
    const [answer] = await underTest().index.readTimers([key]);
    if ('error' in answer!) throw answer.error;
    return answer!.value!;
  };

  const postpone = (...waiting: InstanceTimers[]) =>
    underTest().index.record(
      waiting.map(({ instance, version }) => ({ instance, version, next: moment(5) })),
    );

  describe('the due timer index', () => {
    it('contains an instance as soon as its next timer is due', async () => {
      const key = newKey();
      const timers = [timer('a', moment(2)), timer('b', moment(4))];
      await write(commitOf(key, 1, { timers }));
      expect(await isDue(key, '2026-01-01T00:01:59.999Z')).toBe(false);
      expect(await isDue(key, moment(2))).toBe(true);
    });

    it('reflects canceled and moved timers', async () => {
      const [gone, moved] = [newKey(), newKey()];
      for (const key of [gone, moved])
        await write(commitOf(key, 1, { timers: [timer('a', moment(2))] }));
      await write(commitOf(gone, 2), commitOf(moved, 2, { timers: [timer('a', moment(5))] }));
      expect(await isDue(gone, moment(9))).toBe(false);
      expect(await isDue(moved, moment(4))).toBe(false);
      expect(await isDue(moved, moment(5))).toBe(true);
    });

    it('contains an instance as soon as it becomes late, unless it was already late at its latest commit', async () => {
      const [soon, known] = [newKey(), newKey()];
      const timers = [timer('a', moment(4))];
      await write(commitOf(soon, 1, { lateAt: moment(2), timers }));
      // This instance was already late at its commit, so the clock does not need to visit it.
      await write(commitOf(known, 1, { lateAt: moment(2), at: moment(3) }));
      expect(await isDue(soon, '2026-01-01T00:01:59.999Z')).toBe(false);
      expect(await isDue(soon, moment(2))).toBe(true);
      expect(await isDue(known, moment(9))).toBe(false);
    });

    it('contains each instance once, sorted by due time in each partition', async () => {
      const at = moment(0);
      const keys = Array.from({ length: 60 }, () => newKey());
      const dueAt = (n: number) => at.replace('00.000Z', `${String(n % 50).padStart(2, '0')}.000Z`);
      await write(...keys.map((key, n) => commitOf(key, 1, { timers: [timer('a', dueAt(n))] })));
      const order = new Map(keys.map(({ transaction }, n) => [transaction, n % 50]));
      const found = (await inPartitions(at.replace('00.000Z', '59.000Z'))).map((partition) =>
        partition.map(({ transaction }) => transaction).filter((name) => order.has(name)),
      );
      expect(found.flat().toSorted()).toEqual([...order.keys()].toSorted());
      for (const partition of found) {
        const places = partition.map((name) => order.get(name)!);
        expect(places).toEqual(places.toSorted((a, b) => a - b));
      }
    });
  });

  describe('readTimers', () => {
    it('returns the running timers of each instance, in the order of the request', async () => {
      const [a, b, none] = [newKey(), newKey(), newKey()];
      const timers = [timer('x "1"', moment(2)), timer('🚲', moment(3))];
      await write(commitOf(a, 1, { timers: [timer('old', moment(1))] }), commitOf(b, 1));
      await write(commitOf(a, 2, { timers }));
      expect(await underTest().index.readTimers([b, none, a])).toStrictEqual([
        { value: { instance: b, version: 1, hasParked: false, timers: [], lateAt: undefined } },
        { value: undefined },
        { value: { instance: a, version: 2, hasParked: false, timers, lateAt: undefined } },
      ]);
      expect(await underTest().index.readTimers([])).toEqual([]);
    });

    it('returns the timers of the status row even if the row lags behind the commits', async () => {
      const key = newKey();
      const timers = [timer('a', moment(2))];
      await write(commitOf(key, 1, { timers }));
      await underTest().store.commit([commitOf(key, 2)]);
      expect(await waitingOf(key)).toMatchObject({ version: 1, timers });
    });

    it('returns thousands of timers for one instance and accepts many instances', async () => {
      const keys = Array.from({ length: 110 }, () => newKey());
      const timers = Array.from({ length: 3_000 }, (_, n) => timer(`timer ${n}`, moment(2)));
      await write(...keys.map((key) => commitOf(key, 1, { timers: timers.slice(0, 2) })));
      await write(commitOf(keys[70]!, 2, { timers }));
      const answers = await underTest().index.readTimers(keys);
      expect(answers.map((answer) => 'value' in answer && answer.value?.timers.length)).toEqual(
        keys.map((_, n) => (n === 70 ? 3_000 : 2)),
      );
    });

    it('reports whether an instance has parked events', async () => {
      const key = newKey();
      await write(commitOf(key, 1, { timers: [timer('a', moment(2))] }));
      const { parking } = underTest();
      const at = moment(1);
      const parked = { reason: 'no', fault: true, at, letterId: 'letter' };
      const { event, position } = placed(1, key);
      await parking.park([{ event, position, ...parked }]);
      await parking.recount(key);
      expect(await waitingOf(key)).toMatchObject({ hasParked: true });
      await parking.remove(key, [position]);
      await parking.recount(key);
      expect(await waitingOf(key)).toMatchObject({ hasParked: false });
    });
  });

  describe('record', () => {
    it('marks an instance as late only once and removes it from the index until its next visit', async () => {
      const [timeless, timed] = [newKey(), newKey()];
      const lateAt = moment(2);
      await write(commitOf(timeless, 1, { lateAt }));
      await write(commitOf(timed, 1, { lateAt, timers: [timer('a', moment(4))] }));
      const waiting = [await waitingOf(timeless), await waitingOf(timed)];
      expect(waiting.map((each) => each.lateAt)).toEqual([lateAt, lateAt]);
      const visits = waiting.map(({ instance, version }, n) => ({
        instance,
        version,
        lateSince: lateAt,
        ...(n === 1 && { next: moment(4) }),
      }));
      const done = [{ value: undefined }, { value: undefined }];
      expect(await underTest().index.record(visits)).toEqual(done);
      expect((await waitingOf(timeless)).lateAt).toBeUndefined();
      expect((await waitingOf(timed)).lateAt).toBeUndefined();
      expect(await isDue(timeless, moment(9))).toBe(false);
      expect(await isDue(timed, moment(3))).toBe(false);
      expect(await isDue(timed, moment(4))).toBe(true);
      expect(await underTest().index.record(visits)).toEqual(done);
    });

    it('does not mark an instance whose deadline has moved', async () => {
      const key = newKey();
      await write(commitOf(key, 1, { lateAt: moment(2) }));
      const { instance, version } = await waitingOf(key);
      await write(commitOf(key, 2, { lateAt: moment(5) }));
      for (const seen of [version, 2])
        await underTest().index.record([{ instance, version: seen, lateSince: moment(2) }]);
      expect(await waitingOf(key)).toMatchObject({ version: 2, lateAt: moment(5) });
      expect(await isDue(key, moment(5))).toBe(true);
    });

    it('hides an instance until a given time without changing its timers', async () => {
      const key = newKey();
      const timers = [timer('a', moment(2))];
      await write(commitOf(key, 1, { timers }));
      expect(await postpone(await waitingOf(key))).toEqual([{ value: undefined }]);
      expect(await isDue(key, moment(4))).toBe(false);
      expect(await isDue(key, moment(5))).toBe(true);
      expect(await waitingOf(key)).toMatchObject({ version: 1, timers });
    });

    it('accepts an empty list and many instances', async () => {
      const keys = Array.from({ length: 60 }, () => newKey());
      const timers = [timer('a', moment(2))];
      await write(...keys.map((key) => commitOf(key, 1, { timers })));
      const others = { version: 1, hasParked: false, timers, lateAt: undefined };
      const waiting = keys.map((instance) => ({ instance, ...others }));
      expect(await postpone(...waiting)).toEqual(keys.map(() => ({ value: undefined })));
      const due = new Set(
        (await inPartitions(moment(4))).flat().map(({ transaction }) => transaction),
      );
      expect(keys.filter(({ transaction }) => due.has(transaction))).toEqual([]);
      expect(await postpone()).toEqual([]);
    });

    it('hides an instance only until its next commit', async () => {
      const key = newKey();
      const timers = [timer('a', moment(2))];
      await write(commitOf(key, 1, { timers }));
      await postpone(await waitingOf(key));
      await write(commitOf(key, 2, { timers }));
      expect(await isDue(key, moment(2))).toBe(true);
    });

    it('changes nothing if another commit was written since the read', async () => {
      const [moved, gone] = [newKey(), newKey()];
      const timers = [timer('a', moment(2))];
      await write(commitOf(moved, 1, { timers }), commitOf(gone, 1, { timers }));
      const before = [await waitingOf(moved), await waitingOf(gone)];
      await write(commitOf(moved, 2, { timers }), commitOf(gone, 2));
      expect(await postpone(...before)).toEqual([{ value: undefined }, { value: undefined }]);
      expect(await isDue(moved, moment(2))).toBe(true);
      expect(await isDue(gone, moment(9))).toBe(false);
    });
  });

  describe('nextDue', () => {
    it('returns the earliest due time of a partition after one time and up to another', async () => {
      const at = (second: string) => `2026-02-01T00:00:${second}Z`;
      const dueAt = (second: string) => commitOf(newKey(), 1, { timers: [timer('a', at(second))] });
      // With a hundred later instances, the partition of the earliest instance also contains a later instance.
      await write(...Array.from({ length: 100 }, () => dueAt('30.000')), dueAt('05.250'));
      const { index } = underTest();
      const partitions = await index.partitions();
      const next = async (after: string, by: string) => {
        const found = await Promise.all(
          partitions.map((partition) => index.nextDue(partition, at(after), at(by))),
        );
        return found.filter((each) => each !== undefined);
      };
      expect(await next('00.000', '05.250')).toEqual([at('05.250')]);
      expect(await next('05.249', '29.999')).toEqual([at('05.250')]);
      expect(await next('05.250', '29.999')).toEqual([]);
      expect(await next('00.000', '05.249')).toEqual([]);
      const later = await next('05.250', '59.000');
      expect(later).toEqual(partitions.map(() => at('30.000')));
      expect((await next('00.000', '59.000')).toSorted()).toEqual([
        at('05.250'),
        ...later.slice(1),
      ]);
    });
  });
}
