import { expect } from 'vitest';
import { instancePath } from '../../support/service/service.ts';
import type { Drill } from '../drill.ts';
import {
  created,
  deadLetters,
  hasApplied,
  hasDeadLetters,
  hasNoInstance,
  isLogged,
  isThrottled,
} from './expectations.ts';
import { giveUp } from './give-up.ts';
import { parcelEvent, parcelModel } from './parcel-model.ts';

/** Matches the output of `milepost doctor` after a failed invocation of the dispatcher. */
const dispatcherFails = /✖ dispatcher +its latest batch failed: PROBLEM: Function call failed/;

/** A defective version of a function, which waits forever. */
const hangingHandler =
  'export const handler = () => new Promise((resolve) => { setTimeout(resolve, 900_000); });';

/** Faults of individual events, and of the dispatcher. */
export const eventDrills: Readonly<Record<string, Drill>> = {
  IteratorAge: {
    async cause(world) {
      world.functions.change('Milepost-tickets-', { reservedConcurrency: 0 });
      await world.put(created('aging'));
      await isLogged(world, 'Dispatcher', /records to retry/);
    },
    look: [/"message":"records to retry","count":1,"reasons":\[".*Rate Exceeded/],
    sameAs: 'ModelThrottles',
    gone: (world) => hasApplied(world, 'tickets', 'aging', ['e1']),
  },

  DeadLetters: {
    async cause(world) {
      await world.put(parcelEvent('P-0', 'e1', 'parcel.packed'));
      await world.put('not an event');
      await hasDeadLetters(world, 2);
    },
    look: [
      /! dead-letters +2 dead letters/,
      /parcel +P-0 +e1 +no such model: parcel/,
      /not JSON/,
      /"parcel\.packed"/,
      /"sk"/,
    ],
    async names(world) {
      const letters = await deadLetters(world);
      const invalid = letters.find(({ reason }) => reason.startsWith('not JSON'));
      return { '0mjtfpfk0-dfd8744da9d81190': invalid!.id };
    },
    repair: (world) => world.deployModel('parcel', parcelModel('faulty')),
    async gone(world) {
      await hasApplied(world, 'parcel', 'P-0', ['e1']);
      await hasDeadLetters(world, 0);
    },
  },

  Parked: {
    async cause(world) {
      await world.deployModel('parcel', parcelModel('fixed').replace('Packed', 'Wrapped'));
      await world.deployModel('parcel', parcelModel('faulty'));
      await world.put(parcelEvent('P-1', 'e1', 'parcel.odd'));
      await world.put(parcelEvent('P-1', 'e2', 'parcel.packed'));
      await world.put(parcelEvent('P-2', 'e1', 'parcel.packed'));
      await world.eventually<{ parked: number }>(
        instancePath('parcel', 'P-1'),
        ({ parked }) => parked === 2,
      );
    },
    look: [
      /! parked +1 instance has parked events/,
      /parcel +P-1/,
      /model parcel failed on parcel\.odd e1, in describe: no such box/,
      /"message":"parked","model":"parcel","transaction":"P-1","event":"e1","fault":true/,
    ],
    repair: (world) => world.deployModel('parcel', parcelModel('fixed')),
    async gone(world) {
      await hasApplied(world, 'parcel', 'P-1', ['e1', 'e2']);
      await hasApplied(world, 'parcel', 'P-2', ['e1']);
      expect(await deadLetters(world)).toEqual([]);
    },
  },

  GivenUp: {
    async cause(world) {
      await world.project.deployWithout('DispatcherFunction', 'MILEPOST_STREAM');
      await giveUp(world, 'Dispatcher', { age: '6.6 days', record: created('late') });
      world.functions.deploy({});
      await hasNoInstance(world, 'tickets', 'late');
    },
    look: [/aws\/lambda\/TrackerDispatcherFunctionKinesis.*\/shardId-/],
    gone: (world) => hasApplied(world, 'tickets', 'late', ['e1']),
  },

  DispatcherErrors: {
    async cause(world) {
      await world.project.deployWithout('DispatcherFunction', 'MILEPOST_REGISTRY_TABLE');
      await world.put(created('failing'));
      await isLogged(world, 'Dispatcher', /MILEPOST_REGISTRY_TABLE is not set/);
      await isLogged(world, 'Dispatcher', /"status":"error"/);
    },
    look: [
      dispatcherFails,
      /"level":"ERROR".*MILEPOST_REGISTRY_TABLE is not set/,
      /"type":"platform\.report".*"status":"error"/,
    ],
    gone: (world) => hasApplied(world, 'tickets', 'failing', ['e1']),
  },

  DispatcherTimeouts: {
    async cause(world) {
      const codePath = await world.saveCode('hanging', 'index.mjs', hangingHandler);
      // Reduce the timeout, because the deployed timeout of 15 minutes would take too long.
      await world.project.deployFault('DispatcherFunction', { codePath, timeoutSeconds: 1 });
      await world.put(created('hanging'));
      await isLogged(world, 'Dispatcher', /"status":"timeout"/);
    },
    look: [dispatcherFails, /"type":"platform\.report".*"status":"timeout"/],
    gone: (world) => hasApplied(world, 'tickets', 'hanging', ['e1']),
  },

  DispatcherThrottles: {
    async cause(world) {
      world.functions.change('DispatcherFunction', { reservedConcurrency: 0 });
      await world.put(created('throttled'));
      await isThrottled(world);
    },
    look: [dispatcherFails, /"ReservedConcurrentExecutions": 0/],
    gone: (world) => hasApplied(world, 'tickets', 'throttled', ['e1']),
  },
};
