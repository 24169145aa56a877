import type { Drill } from '../drill.ts';
import type { World } from '../world/world.ts';
import { created, hasApplied, isLogged, isNotified } from './expectations.ts';

/** Enables or disables the event source mapping of a function, such as `Dispatcher`, like an operator. */
const setEnabled = (world: World, functionName: string, option: '--enabled' | '--no-enabled') =>
  world.shell.run(
    `aws lambda update-event-source-mapping --uuid "$(resource EventSourceMapping ${functionName})" ${option}`,
  );

/** Disables the dispatcher's mapping, and puts an event that nobody reads. */
async function leaveUnread(world: World, transaction: string): Promise<void> {
  const before = world.logs.ofOwner('Clock').length;
  await setEnabled(world, 'Dispatcher', '--no-enabled');
  await world.put(created(transaction));
  await isLogged(world, 'Clock', /event source mapping does not work/, before);
}

/** Faults in event source mappings. */
export const eventSourceDrills: Readonly<Record<string, Drill>> = {
  StreamAge: {
    cause: (world) => leaveUnread(world, 'old'),
    look: [/TrackerDispatcherFunction\S+\tDisabled/],
    sameAs: 'EventSources',
    gone: (world) => hasApplied(world, 'tickets', 'old', ['e1']),
  },

  Unread: {
    cause: (world) => leaveUnread(world, 'unread'),
    look: [/\tDisabled\t/],
    sameAs: 'EventSources',
    gone: (world) => hasApplied(world, 'tickets', 'unread', ['e1']),
  },

  EventSources: {
    cause: (world) => leaveUnread(world, 'disabled'),
    look: [/"mapping":"TrackerDispatcherFunction\w+","reason":"the state is Disabl/],
    gone: (world) => hasApplied(world, 'tickets', 'disabled', ['e1']),
  },

  NotificationsUnread: {
    async cause(world) {
      await setEnabled(world, 'Publisher', '--no-enabled');
      await world.put(created('not-published'));
      await hasApplied(world, 'tickets', 'not-published', ['e1']);
    },
    look: [/\tDisabl(ed|ing)\t/],
    repair: async (world) => void (await setEnabled(world, 'Publisher', '--enabled')),
    gone: (world) => isNotified(world, 'not-published'),
  },
};
