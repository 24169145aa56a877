import { expect } from 'vitest';
import type { Drill } from '../drill.ts';
import { created, hasApplied, isLogged } from './expectations.ts';

const models = ['GET /api/models', '/api/models'] as const;
const link = ['GET /track/{token}', '/track/guessed'] as const;
const address = '203.0.113.7';

/** Faults of the HTTP API, of customer pages, and of the clock. */
export const apiDrills: Readonly<Record<string, Drill>> = {
  ApiErrors: {
    async cause(world) {
      const { environment } = world.functions.named('TrackerApiFunction');
      await world.project.deployFault('TrackerApiFunction', {
        environment: { ...environment, MILEPOST_REGISTRY_TABLE: 'missing' },
      });
      expect(await world.request(...models, address)).toBeGreaterThanOrEqual(500);
      await isLogged(world, 'Api', /request failed/);
    },
    look: [
      /\? models +could not be checked: ResourceNotFoundException/,
      /"route":"GET \/api\/models".*"status":"5\d\d"/,
      /"message":"request failed"/,
    ],
    async gone(world) {
      expect(await world.request(...models, address)).toBe(200);
    },
  },

  ApiThrottles: {
    async cause(world) {
      world.functions.change('TrackerApiFunction', { reservedConcurrency: 0 });
      await world.put(created('beside-the-api'));
      expect(await world.request(...models, address)).toBeGreaterThanOrEqual(429);
    },
    look: [/✖ api /, /"ReservedConcurrentExecutions": 0/, /203\.0\.113\.7 -/],
    async gone(world) {
      expect(await world.request(...models, address)).toBe(200);
      await hasApplied(world, 'tickets', 'beside-the-api', ['e1']);
    },
  },

  CustomerPagesThrottles: {
    async cause(world) {
      world.functions.change('CustomerPagesFunction', { reservedConcurrency: 0 });
      expect(await world.request(...link, address)).toBeGreaterThanOrEqual(429);
    },
    look: [/ 1 203\.0\.113\.7 (429|503)/],
    async gone(world) {
      expect(await world.request(...link, address)).toBe(404);
    },
  },

  ClockErrors: {
    async cause(world) {
      await world.project.deployWithout('ClockFunction', 'MILEPOST_INSTANCES_TABLE');
      await isLogged(world, 'Clock', /MILEPOST_INSTANCES_TABLE is not set/);
      await world.put({ ...created('held'), data: { available: 4 } });
      const time = new Date(Date.now() - 5 * 60_000).toISOString();
      const data = { who: 'Fred', qty: 1 };
      await world.put({ ...created('held', 'e2'), type: 'tickets.reserved', data, time });
      await hasApplied(world, 'tickets', 'held', ['e1', 'e2']);
    },
    look: [
      /✖ clock +a timer or deadline has been due for 4 minutes/,
      /"level":"ERROR".*MILEPOST_INSTANCES_TABLE is not set/,
    ],
    async gone(world) {
      await world.eventually<{ entries: { event: { type: string } }[] }>(
        '/api/instances/tickets/held/history',
        ({ entries }) => entries.at(-1)?.event.type === 'timer.fired',
      );
    },
  },
};
