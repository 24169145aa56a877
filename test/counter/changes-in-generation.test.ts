import { describe, expect, it } from 'vitest';
import type { Counter } from '../../src/core/counters/counter.ts';
import { changesInGeneration } from '../../src/counter/changes-in-generation.ts';
import { clockTolerance, type RebuildPeriod } from '../../src/counter/generations.ts';
import type { Marker, Markers } from '../../src/counter/markers.ts';
import type { RowChange, RowState } from '../../src/counter/row-change.ts';

const [from, until] = [1_000_000, 2_000_000];
const shard = 'shard';

class MarkersInMemory implements Markers {
  readonly all = new Map<string, Marker>();

  claim(_: number, markers: readonly Marker[]) {
    for (const marker of markers)
      if (!this.all.has(marker.instance)) this.all.set(marker.instance, marker);
    return this.read(
      0,
      markers.map(({ instance }) => instance),
    );
  }

  read(_: number, instances: readonly string[]) {
    const found = instances.flatMap((instance) => this.all.get(instance) ?? []);
    return Promise.resolve(new Map(found.map((marker) => [marker.instance, marker])));
  }
}

const state = (version: number, status: string, queueVersion = 0, isLate = false): RowState => ({
  version,
  queueVersion,
  isLate,
  counters: [{ model: 'orders', group: 'totals', name: status } satisfies Counter],
});
const change = (
  at: number,
  before: RowState | undefined,
  after: RowState | undefined,
): RowChange => ({ instance: 'orders#T1', sequence: String(at), at, before, after });
const [a, b, c] = [state(1, 'A'), state(2, 'B'), state(3, 'C')];

/** Returns the counted changes of each row change as text, such as `-A +B`. */
async function counted(
  changes: readonly RowChange[],
  markers: Markers = new MarkersInMemory(),
  rebuild: RebuildPeriod | undefined = { from, until },
): Promise<string[]> {
  const found = await changesInGeneration(markers, { number: 1, rebuild }, shard, changes);
  return found.map((each) =>
    each.changes.map(({ name, by }) => `${by > 0 ? '+' : '-'}${name}`).join(' '),
  );
}

const scanned = (version: number, queueVersion = 0, isLate = false) => {
  const markers = new MarkersInMemory();
  const instance = 'orders#T1';
  markers.all.set(instance, { instance, version, queueVersion, isLate, writer: 'page/3' });
  return markers;
};

describe('the changes of a generation', () => {
  it('include all changes if no rebuild created the generation', async () => {
    const rebuild = undefined;
    const markers = new MarkersInMemory();
    const found = await changesInGeneration(markers, { number: 0, rebuild }, shard, [
      change(1, undefined, a),
      change(2, a, b),
      change(3, b, undefined),
    ]);
    expect(found.map(({ changes }) => changes.length)).toEqual([1, 2, 1]);
    expect(markers.all.size).toBe(0);
  });

  it('do not contain changes before the rebuild', async () => {
    expect(await counted([change(from - 1, a, b)])).toEqual(['']);
  });

  it('count a row in its new state at its first change, and then count each change', async () => {
    const changes = [change(from, a, b), change(from + 1, b, c)];
    expect(await counted(changes)).toEqual(['+B', '-B +C']);
  });

  it('are the same when the row changes are redelivered, even in different batches', async () => {
    const markers = new MarkersInMemory();
    const changes = [change(from, a, b), change(from + 1, b, c)];
    const first = await counted(changes, markers, { from });
    expect(await counted(changes, markers)).toEqual(first);
    expect(await counted(changes.slice(1), markers)).toEqual(first.slice(1));
  });

  it('contain only changes after the revision that the scan counted', async () => {
    const changes = [change(from, a, b), change(from + 1, b, c)];
    expect(await counted(changes, scanned(2))).toEqual(['', '-B +C']);
    expect(await counted(changes, scanned(3))).toEqual(['', '']);
  });

  it('contain repairs, which change the queue version but not the version', async () => {
    const repaired = state(2, 'C', 1);
    expect(await counted([change(from, b, repaired)], scanned(2))).toEqual(['-B +C']);
    expect(await counted([change(from, b, repaired)], scanned(2, 1))).toEqual(['']);
  });

  it('contain the change that marks an instance as late, which changes neither the version nor the queue version', async () => {
    const late = state(2, 'B late', 0, true);
    expect(await counted([change(from, b, late)], scanned(2))).toEqual(['-B +B late']);
    expect(await counted([change(from, b, late)], scanned(2, 0, true))).toEqual(['']);
    // A repair can remove the mark.
    const repaired = state(2, 'B', 1);
    expect(await counted([change(from, late, repaired)], scanned(2, 0, true))).toEqual([
      '-B late +B',
    ]);
    expect(await counted([change(from, b, late)], scanned(2, 1))).toEqual(['']);
  });

  it('contain the deletion of a row that the scan counted', async () => {
    expect(await counted([change(from, b, undefined)], scanned(2))).toEqual(['-B']);
    expect(await counted([change(from, a, undefined)], scanned(2))).toEqual(['']);
    const again = [change(from, b, undefined), change(from + 1, undefined, a)];
    expect(await counted(again)).toEqual(['', '+A']);
  });

  it('contain all changes after the rebuild, without storing markers', async () => {
    const markers = new MarkersInMemory();
    const late = until + clockTolerance + 1;
    const changes = [change(until + 1, a, b), change(late, undefined, a)];
    expect(await counted(changes, markers)).toEqual(['-A +B', '+A']);
    expect(markers.all.size).toBe(0);
  });

  it('count a new row once even if the times of its changes are in the wrong order', async () => {
    const changes = [change(until + 1, undefined, a), change(until, a, b)];
    expect(await counted(changes)).toEqual(['+A', '-A +B']);
    const markers = new MarkersInMemory();
    expect(await counted([change(from, a, b)], markers)).toEqual(['+B']);
    expect(await counted([change(from - 1, b, c)], markers)).toEqual(['-B +C']);
  });
});
