import { beforeEach, describe, expect, it } from 'vitest';
import { Observer } from '../../src/model-runtime/observer.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { MemoryObservationStore } from '../support/memory-observation-store.ts';

let clock: ManualClock;
let store: MemoryObservationStore;
let errors: unknown[];
let observer: Observer;
beforeEach(() => {
  clock = new ManualClock();
  store = new MemoryObservationStore();
  errors = [];
  observer = new Observer('m', { store, clock, logError: (error) => errors.push(error) });
});

const minute = '2026-01-01T00:00:00.000Z';
const see = (events: number, ...ms: number[]) =>
  observer.saw([{ at: minute, events, steps: ms.map((each) => ({ step: 's', ms: each })) }]);
const written = () => store.counts.get('m') ?? [];
const paced = () => store.paces.get('m')?.of('s', 1)?.count ?? 0;

describe('Observer', () => {
  it('writes the first that it sees before it answers', async () => {
    await see(3, 100);
    expect(written()).toEqual([{ minute, events: 3 }]);
    expect(paced()).toBe(1);
  });

  it('gathers what comes soon after, and writes it without another event', async () => {
    await see(1);
    await see(2, 100);
    await see(3, 100);
    expect(written()).toHaveLength(1);
    await clock.advance(10_000);
    expect(written()).toEqual([
      { minute, events: 1 },
      { minute, events: 5 },
    ]);
    expect(paced()).toBe(2);
  });

  it('writes nothing where there was nothing to see', async () => {
    await observer.saw([]);
    await clock.advance(60_000);
    expect(store.counts.size).toBe(0);
  });

  it('keeps the pace for the next time when another writer was first', async () => {
    store.conflicts = 1;
    await see(1, 100);
    expect(paced()).toBe(0);
    await clock.advance(10_000);
    await see(1, 100);
    expect(paced()).toBe(2);
  });

  it('says so and goes on when it cannot write', async () => {
    store.failure = new Error('no table');
    await see(1, 100);
    expect(errors).toEqual([store.failure]);
    store.failure = undefined;
    await clock.advance(10_000);
    await see(2);
    expect(written()).toEqual([{ minute, events: 2 }]);
  });
});
