import { describe, expect, it } from 'vitest';
import { lastMinutes } from '../../../src/core/status/event-rate.ts';
import { StepDurations } from '../../../src/core/status/step-durations.ts';
import { toIso } from '../../../src/core/time/timestamp.ts';
import type { ObservationStore } from '../../../src/stores/observation-store.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const now = Date.UTC(2026, 0, 2, 0, 5, 30);

/** Two stores of the same observations, as if in two processes. */
export interface ObservationsUnderTest {
  readonly store: ObservationStore;
  readonly other: ObservationStore;
}

/** Defines the tests of `DynamoDbObservationStore`, which run on an in-memory DynamoDB and on the embedded DynamoDB. */
export function observationCases(underTest: () => ObservationsUnderTest): void {
  const count = (store: ObservationStore, model: string, at: number, events: number) =>
    store.addEventCounts(model, [{ minute: `${toIso(at).slice(0, 16)}:00.000Z`, events }]);
  const lately = async (model: string, at = now) => {
    const found = await underTest().other.eventCounts([model], at);
    const minutes = lastMinutes(found.get(model) ?? [], 60, at);
    return minutes.filter(({ events }) => events > 0).map(({ events }) => events);
  };
  const paceOf = (step: string, ...ms: number[]) => {
    const stepDurations = new StepDurations();
    stepDurations.add(ms.map((each) => ({ step, ms: each })));
    return stepDurations;
  };

  describe('event counts', () => {
    it('are summed over all processes for each minute, even across midnight', async () => {
      const { store, other } = underTest();
      await count(store, 'a', now - 6 * minute, 2);
      await count(store, 'a', now, 3);
      await count(other, 'a', now, 4);
      await count(other, 'b', now, 5);
      expect(await lately('a')).toEqual([2, 7]);
      expect(await lately('b')).toEqual([5]);
      expect(await lately('nobody')).toEqual([]);
    });

    it('can be added in one call for minutes in different hours', async () => {
      const minutes = [now - 20 * minute, now].map((at) => ({
        minute: `${toIso(at).slice(0, 16)}:00.000Z`,
        events: 1,
      }));
      await underTest().store.addEventCounts('several', minutes);
      expect(await lately('several')).toEqual([1, 1]);
    });

    it('replace the counts of the same hour from an earlier day, but never from a later day', async () => {
      const { store } = underTest();
      await count(store, 'days', now - day, 9);
      await count(store, 'days', now, 1);
      await count(store, 'days', now - day, 7);
      await count(store, 'days', now, 1);
      expect(await lately('days')).toEqual([2]);
    });
  });

  describe('step durations', () => {
    it('combine the observations of all processes, per model', async () => {
      const { store, other } = underTest();
      expect(await store.addStepDurations('a', paceOf('x', 100, 100, 100))).toBe('added');
      expect(await store.addStepDurations('a', paceOf('x', 100, 0))).toBe('added');
      expect(await other.addStepDurations('a', paceOf('x', 5_000))).toBe('added');
      const stepDurations = await other.stepDurations('a');
      expect(stepDurations.estimate('x', 1)).toMatchObject({ count: 6 });
      expect(stepDurations.estimate('x', 1)!.p50).toBeGreaterThan(94);
      expect(stepDurations.estimate('x', 1)!.p50).toBeLessThan(106);
      expect((await store.stepDurations('nobody')).isEmpty).toBe(true);
    });

    it('include every concurrent write that does not return a conflict', async () => {
      const { store, other } = underTest();
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          (i % 2 ? store : other).addStepDurations('many', paceOf('x', 100)),
        ),
      );
      const added = answers.filter((answer) => answer === 'added').length;
      expect(added).toBeGreaterThan(0);
      expect((await store.stepDurations('many')).estimate('x', 1)).toMatchObject({ count: added });
    });
  });
}
