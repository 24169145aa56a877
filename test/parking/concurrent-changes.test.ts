import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { StreamRecord } from '../../src/stream/stream-record.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { type Call, ParkingWorld } from '../support/models/parking-world.ts';

/** The consecutive deliveries of one lane of the stream. Each is a batch of events and redrive requests. */
const anyLane = fc.array(
  fc.array(fc.constantFrom('added', 'added', 'added', 'failed', 'redrive'), {
    minLength: 1,
    maxLength: 8,
  }),
  { minLength: 1, maxLength: 4 },
);
/** The durations of a dispatcher's calls in milliseconds, and the number of the call at which it crashes, if any. */
const anyRun = fc.record({
  delays: fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 7 }),
  fatal: fc.option(fc.integer({ min: 1, max: 40 })),
});

it('concurrent lanes that park and redrive events of an instance lose no event and leave its status row correct', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyLane, { minLength: 2, maxLength: 3 }),
      fc.array(anyRun, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 0, max: 3_000 }),
      async (lanes, runs, mendedAfter) => {
        const clock = new ManualClock();
        const world = new ParkingWorld(clock);
        const drawn = runs.values();
        const call = (): Call => {
          const { delays, fatal } = drawn.next().value ?? { delays: [1], fatal: null };
          let calls = 0;
          return async (effect) => {
            calls++;
            if (fatal !== null && calls >= fatal) throw new Error('died');
            await clock.sleep(delays[calls % delays.length]!);
            return effect();
          };
        };
        const sent: string[] = [];
        const deliver = async (records: readonly StreamRecord[]) => {
          for (let left = records; left.length > 0; ) left = await world.deliver(left, call());
        };
        const deliverLane = async (lane: string, batches: readonly (readonly string[])[]) => {
          for (const [n, types] of batches.entries())
            await deliver(
              types.map((type, place) => {
                if (type === 'redrive') return world.redrive('A');
                const id = `${lane}.${n}.${place}`;
                sent.push(id);
                return world.record('A', id, type);
              }),
            );
        };
        const mended = clock.sleep(mendedAfter).then(() => {
          world.isBroken = false;
        });
        const all = lanes.map((batches, lane) => deliverLane(String(lane), batches));
        await clock.runUntil(Promise.all([mended, ...all]));
        while (world.continued.length > 0) await clock.runUntil(deliver(world.continued.splice(0)));
        const queue = world.parked('A');
        expect(world.isOldestAtFault('A')).toBe(queue.length > 0);
        const done = await world.applied('A');
        expect([...new Set([...done, ...queue])].toSorted()).toEqual(sent.toSorted());
        // After an hour, interrupted queue changes no longer count as in progress.
        await clock.advance(2 * 60 * 60 * 1000);
        await clock.runUntil(deliver([world.redrive('A')]));
        await clock.runUntil(deliver(world.continued.splice(0)));
        expect(world.parked('A')).toEqual([]);
        expect(world.announced('A')).toBe(0);
        expect((await world.applied('A')).toSorted()).toEqual(sent.toSorted());
      },
    ),
    { numRuns: 100 },
  );
}, 60_000);
