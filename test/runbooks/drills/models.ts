import { instancePath } from '../../support/service/service.ts';
import type { Drill } from '../drill.ts';
import { created, hasApplied, isLogged } from './expectations.ts';

/** Faults of a model's function. */
export const modelDrills: Readonly<Record<string, Drill>> = {
  ModelErrors: {
    async cause(world) {
      world.functions.break('Milepost-tickets-', 'MILEPOST_INSTANCES_TABLE');
      await world.put(created('final-2027'));
      await world.eventually<{ parked: number }>(
        instancePath('tickets', 'final-2027'),
        ({ parked }) => parked === 1,
      );
    },
    look: [/"level":"ERROR".*MILEPOST_INSTANCES_TABLE is not set/],
    repair: (world) => world.functions.restore('Milepost-tickets-'),
    gone: (world) => hasApplied(world, 'tickets', 'final-2027', ['e1']),
  },

  ModelThrottles: {
    async cause(world) {
      const before = world.logs.ofOwner('Dispatcher').length;
      world.functions.change('Milepost-tickets-', () => ({ reservedConcurrency: 0 }));
      await world.put(created('waiting'));
      await isLogged(world, 'Dispatcher', /records to retry/, before);
    },
    look: [/"ReservedConcurrentExecutions": 0/, /"records to retry","count":1/],
    gone: (world) => hasApplied(world, 'tickets', 'waiting', ['e1']),
  },
};
