import { expect } from 'vitest';
import type { Drill } from '../drill.ts';
import { created, hasApplied, isLogged } from './expectations.ts';

const models = ['GET /api/models', '/api/models'] as const;
const link = ['GET /track/{token}', '/track/guessed'] as const;
const address = '203.0.113.7';

/** Faults of the HTTP API, of customers' pages, and of the clock. */
export const apiDrills: Readonly<Record<string, Drill>> = {
  ApiErrors: {
    async cause(world) {
      world.functions.change('TrackerApiFunction', ({ environment }) => ({
        environment: { ...environment, MILEPOST_REGISTRY_TABLE: 'missing' },
      }));
      expect(await world.request(...models, address)).toBeGreaterThanOrEqual(500);
      await isLogged(world, 'Api', /request failed/);
    },
    look: [/"route":"GET \/api\/models".*"status":"5\d\d"/, /"message":"request failed"/],
    repair: (world) => world.functions.restore('TrackerApiFunction'),
    async gone(world) {
      expect(await world.request(...models, address)).toBe(200);
    },
  },

  ApiThrottles: {
    async cause(world) {
      world.functions.change('TrackerApiFunction', () => ({ reservedConcurrency: 0 }));
      await world.put(created('beside-the-api'));
      expect(await world.request(...models, address)).toBeGreaterThanOrEqual(429);
    },
    look: [/"ReservedConcurrentExecutions": 0/, /203\.0\.113\.7 -/],
    async gone(world) {
      expect(await world.request(...models, address)).toBe(200);
      await hasApplied(world, 'tickets', 'beside-the-api', ['e1']);
    },
  },

  CustomerPagesThrottles: {
    async cause(world) {
      world.functions.change('CustomerPagesFunction', () => ({ reservedConcurrency: 0 }));
      expect(await world.request(...link, address)).toBeGreaterThanOrEqual(429);
    },
    look: [/ 1 203\.0\.113\.7 (429|503)/],
    async gone(world) {
      expect(await world.request(...link, address)).toBe(404);
    },
  },

  ClockErrors: {
    async cause(world) {
      world.functions.break('ClockFunction', 'MILEPOST_INSTANCES_TABLE');
      await isLogged(world, 'Clock', /MILEPOST_INSTANCES_TABLE is not set/);
      await world.put({ ...created('held'), data: { available: 4 } });
      const time = new Date(Date.now() - 60_000).toISOString();
      const data = { who: 'Fred', qty: 1 };
      await world.put({ ...created('held', 'e2'), type: 'tickets.reserved', data, time });
    },
    look: [/"level":"ERROR".*MILEPOST_INSTANCES_TABLE is not set/],
    repair: (world) => world.functions.restore('ClockFunction'),
    async gone(world) {
      await world.eventually<{ entries: { event: { type: string } }[] }>(
        '/api/instances/tickets/held/history',
        ({ entries }) => entries.at(-1)?.event.type === 'timer.fired',
      );
    },
  },
};
