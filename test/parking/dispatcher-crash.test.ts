import { describe, expect, it } from 'vitest';
import type { StreamRecord } from '../../src/stream/stream-record.ts';
import { type Call, ParkingWorld } from '../support/models/parking-world.ts';
import { skipSleep } from '../support/skip-sleep.ts';

const newWorld = () => new ParkingWorld({ now: () => Date.UTC(2026, 0, 1), sleep: skipSleep });

/** Wraps the calls of a dispatcher that crashes before or after its call number `fatal`. Later calls have no effect. */
function dyingAt(fatal: number, when: 'before' | 'after') {
  const made: string[] = [];
  let isDead = false;
  const call: Call = async (effect, name) => {
    if (isDead) throw new Error('dead');
    if (made.push(name) !== fatal) return effect();
    isDead = true;
    if (when === 'after') await effect();
    throw new Error('died');
  };
  return { call, made };
}

/**
 * For each call of the dispatcher, runs a batch with a crash at that call, redelivers the batch, and checks the result.
 */
async function atEachCall(
  prepare: (world: ParkingWorld) => Promise<readonly StreamRecord[]>,
  check: (world: ParkingWorld) => Promise<void>,
): Promise<void> {
  const whole = newWorld();
  const { call, made } = dyingAt(Number.POSITIVE_INFINITY, 'before');
  await whole.deliver(await prepare(whole), call);
  expect(made.length).toBeGreaterThan(3);
  await check(whole);
  expect(whole.announced('A')).toBe(0);
  for (const [index, name] of made.entries())
    for (const when of ['before', 'after'] as const) {
      const world = newWorld();
      const batch = await prepare(world);
      await world.deliver(batch, dyingAt(index + 1, when).call);
      expect(await world.deliver(batch), `${when} call ${index + 1}, ${name}`).toEqual([]);
      while (world.continued.length > 0) await world.deliver(world.continued.splice(0));
      await check(world);
      expect(world.announced('A')).toBe(0);
    }
}

const threeOf = (world: ParkingWorld) => [
  world.record('A', 'poison', 'failed'),
  world.record('A', 'a2'),
  world.record('A', 'a3'),
];

/** Returns more events than fit into one request. */
const manyOf = (world: ParkingWorld) => [
  world.record('A', 'poison', 'failed'),
  ...Array.from({ length: 60 }, (_, n) => world.record('A', `a${n}`)),
];
const idsOfMany = ['poison', ...Array.from({ length: 60 }, (_, n) => `a${n}`)];

describe('a dispatcher that crashes at any call and receives its batch again', () => {
  it('parks each event once, in order', () =>
    atEachCall(
      (world) => Promise.resolve(manyOf(world)),
      async (world) => {
        expect(world.parked('A')).toEqual(idsOfMany);
        expect(await world.applied('A')).toEqual([]);
      },
    ));

  it('parks events after events that are already parked', () =>
    atEachCall(
      async (world) => {
        await world.deliver(threeOf(world));
        return [world.record('A', 'a4'), world.record('B', 'b'), world.record('A', 'a5')];
      },
      async (world) => {
        expect(world.parked('A')).toEqual(['poison', 'a2', 'a3', 'a4', 'a5']);
        expect(await world.applied('B')).toEqual(['b']);
      },
    ));

  it('does not change the queue if all events of the batch are already parked', () =>
    atEachCall(
      async (world) => {
        const batch = threeOf(world);
        await world.deliver(batch);
        return batch;
      },
      // oxlint-disable-next-line typescript/require-await -- the type requires a promise
      async (world) => {
        expect(world.parked('A')).toEqual(['poison', 'a2', 'a3']);
      },
    ));

  it('redrives each event once, in order', () =>
    atEachCall(
      async (world) => {
        await world.deliver(manyOf(world));
        world.isBroken = false;
        return [world.redrive('A'), world.record('A', 'last')];
      },
      async (world) => {
        expect(world.parked('A')).toEqual([]);
        expect(await world.applied('A')).toEqual([...idsOfMany, 'last']);
      },
    ));

  it('redrives events up to the first event that the model fails on', () =>
    atEachCall(
      async (world) => {
        await world.deliver(threeOf(world));
        world.isBroken = false;
        await world.deliver([world.redrive('A')]);
        world.isBroken = true;
        await world.deliver([world.record('A', 'second', 'failed'), world.record('A', 'a5')]);
        return [world.redrive('A')];
      },
      async (world) => {
        expect(world.parked('A')).toEqual(['second', 'a5']);
        expect(await world.applied('A')).toEqual(['poison', 'a2', 'a3']);
      },
    ));
});
