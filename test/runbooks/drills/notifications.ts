import type { Drill } from '../drill.ts';
import {
  created,
  deadLetters,
  hasApplied,
  hasDeadLetters,
  isLogged,
  isNotified,
} from './expectations.ts';
import { giveUp } from './give-up.ts';

const notificationStream = 'milepost-events-notifications';
/** An address where nothing listens. */
const nowhere = 'http://127.0.0.1:1';

/** Faults between the notification stream and the bus. */
export const notificationDrills: Readonly<Record<string, Drill>> = {
  NotificationAge: {
    async cause(world) {
      world.functions.change('PublisherFunction', ({ environment }) => ({
        environment: { ...environment, AWS_ENDPOINT_URL_EVENTBRIDGE: nowhere },
      }));
      await world.put(created('unheard'));
      await isLogged(world, 'Publisher', /notifications to retry/);
    },
    look: [/"message":"notifications to retry".*ECONNREFUSED/],
    repair: (world) => world.functions.restore('PublisherFunction'),
    async gone(world) {
      await hasApplied(world, 'tickets', 'unheard', ['e1']);
      await isNotified(world, 'unheard');
    },
  },

  PublisherErrors: {
    async cause(world) {
      world.functions.break('PublisherFunction', 'MILEPOST_BUS');
      await world.put(created('unpublished'));
      await isLogged(world, 'Publisher', /MILEPOST_BUS is not set/);
    },
    look: [/"level":"ERROR".*MILEPOST_BUS is not set/],
    repair: (world) => world.functions.restore('PublisherFunction'),
    gone: (world) => isNotified(world, 'unpublished'),
  },

  RefusedNotifications: {
    async cause(world) {
      await world.put('another writer', notificationStream);
      await hasDeadLetters(world, 1);
    },
    look: [/not a notification/, /another writer/],
    async names(world) {
      return { '0mws1hg8v-c93e0ae4bf4409b8': (await deadLetters(world))[0]!.id };
    },
    gone: (world) => hasDeadLetters(world, 0),
  },

  NotificationsGivenUp: {
    async cause(world) {
      world.functions.break('PublisherFunction', 'MILEPOST_BUS');
      await giveUp(world, 'Publisher', { age: '23 hours', record: created('given-up') });
      world.functions.restore('PublisherFunction');
    },
    look: [/aws\/lambda\/TrackerPublisherFunctionKinesis.*\/shardId-/],
    sameAs: 'GivenUp',
    gone: (world) => isNotified(world, 'given-up'),
  },
};
