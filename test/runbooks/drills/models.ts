import { instancePath } from '../../support/service/service.ts';
import type { Drill } from '../drill.ts';
import { created, hasApplied, isLogged } from './expectations.ts';

export const modelDrills: Readonly<Record<string, Drill>> = {
  ModelErrors: {
    async cause(world) {
      await world.project.deployWithout('Milepost-tickets-', 'MILEPOST_INSTANCES_TABLE');
      await world.put(created('final-2027'));
      await world.eventually<{ parked: number }>(
        instancePath('tickets', 'final-2027'),
        ({ parked }) => parked === 1,
      );
    },
    look: [
      /! parked +1 instance has parked events/,
      /"level":"ERROR".*MILEPOST_INSTANCES_TABLE is not set/,
    ],
    repair: (world) => world.functions.deploy({}),
    gone: (world) => hasApplied(world, 'tickets', 'final-2027', ['e1']),
  },

  ModelThrottles: {
    async cause(world) {
      world.functions.change('Milepost-tickets-', { reservedConcurrency: 0 });
      await world.put(created('waiting'));
      await isLogged(world, 'Dispatcher', /records to retry/);
    },
    look: [/"ReservedConcurrentExecutions": 0/, /"records to retry","count":1/],
    gone: (world) => hasApplied(world, 'tickets', 'waiting', ['e1']),
  },
};
