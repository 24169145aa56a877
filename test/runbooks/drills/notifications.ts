import type { Drill } from '../drill.ts';
import {
  created,
  deadLetters,
  hasApplied,
  hasDeadLetters,
  isLogged,
  isNotified,
  isThrottled,
} from './expectations.ts';
import { giveUp } from './give-up.ts';

const notificationStream = 'milepost-events-notifications';
/** An address without a server. */
const nowhere = 'http://127.0.0.1:1';

/** Matches the output of `milepost doctor` after a failed invocation of the publisher. */
const publisherFails = /✖ publisher +its latest batch failed: PROBLEM: Function call failed/;

/** Faults between the notification stream and the bus. */
export const notificationDrills: Readonly<Record<string, Drill>> = {
  NotificationAge: {
    async cause(world) {
      const { environment } = world.functions.named('PublisherFunction');
      world.functions.change('PublisherFunction', {
        environment: { ...environment, AWS_ENDPOINT_URL_EVENTBRIDGE: nowhere },
      });
      await world.put(created('unheard'));
      await isLogged(world, 'Publisher', /notifications to retry/);
    },
    look: [/"message":"notifications to retry".*ECONNREFUSED/],
    async gone(world) {
      await hasApplied(world, 'tickets', 'unheard', ['e1']);
      await isNotified(world, 'unheard');
    },
  },

  PublisherErrors: {
    async cause(world) {
      await world.project.deployWithout('PublisherFunction', 'MILEPOST_BUS');
      await world.put(created('unpublished'));
      await isLogged(world, 'Publisher', /MILEPOST_BUS is not set/);
    },
    look: [publisherFails, /"level":"ERROR".*MILEPOST_BUS is not set/],
    gone: (world) => isNotified(world, 'unpublished'),
  },

  PublisherThrottles: {
    async cause(world) {
      world.functions.starve('PublisherFunction');
      await world.put(created('starved'));
      await isThrottled(world);
    },
    look: [publisherFails, /"UnreservedConcurrentExecutions": 100\b/],
    async gone(world) {
      await isNotified(world, 'starved');
      world.functions.reservedByOthers = 0;
    },
  },

  RefusedNotifications: {
    async cause(world) {
      await world.put('another writer', notificationStream);
      await hasDeadLetters(world, 1);
    },
    look: [/! dead-letters +1 dead letter;/, /not a notification/, /another writer/],
    async names(world) {
      return { '0mws1hg8v-c93e0ae4bf4409b8': (await deadLetters(world))[0]!.id };
    },
    gone: (world) => hasDeadLetters(world, 0),
  },

  NotificationsGivenUp: {
    async cause(world) {
      await world.project.deployWithout('PublisherFunction', 'MILEPOST_BUS');
      await giveUp(world, 'Publisher', { age: '23 hours', record: created('given-up') });
      world.functions.deploy({});
    },
    look: [/aws\/lambda\/TrackerPublisherFunctionKinesis.*\/shardId-/],
    gone: (world) => isNotified(world, 'given-up'),
  },
};
