import { ListEventSourceMappingsCommand } from '@aws-sdk/client-lambda';
import type { Drill } from '../drill.ts';
import type { World } from '../world/world.ts';
import { created, hasApplied, isLogged, isNotified } from './expectations.ts';

/** Enables or disables the event source mapping of a function, such as `Dispatcher`, with an operator's command. */
const setEnabled = (world: World, functionName: string, option: '--enabled' | '--no-enabled') =>
  world.shell.run(
    `aws lambda update-event-source-mapping --uuid "$(resource EventSourceMapping ${functionName})" ${option}`,
  );

/** Waits until a mapping is disabled, because the mapping accepts no other change until then. */
const isDisabled = (world: World, functionName: string) =>
  world.until(async () => {
    const { EventSourceMappings: [mapping] = [] } = await world.lambda.send(
      new ListEventSourceMappingsCommand({
        FunctionName: world.functions.named(functionName).name,
      }),
    );
    return mapping?.State === 'Disabled';
  }, `the mapping of ${functionName} is disabled`);

const dispatcherIsDisabled =
  /✖ dispatcher +its event source mapping is disabled, so events wait on the stream/;
const publisherIsDisabled =
  /✖ publisher +its event source mapping is disabled, so notifications wait on their stream/;

/** Disables the dispatcher's mapping and puts an event, which then waits on the stream. */
async function leaveUnread(world: World, transaction: string): Promise<void> {
  const before = world.logs.ofOwner('Clock').length;
  await setEnabled(world, 'Dispatcher', '--no-enabled');
  await world.put(created(transaction));
  await isLogged(world, 'Clock', /event source mapping does not work/, before);
  await isDisabled(world, 'DispatcherFunction');
}

/** Disables the publisher's mapping and causes a notification, which then waits on its stream. */
async function leaveUnpublished(world: World, transaction: string): Promise<void> {
  await setEnabled(world, 'Publisher', '--no-enabled');
  await world.put(created(transaction));
  await hasApplied(world, 'tickets', transaction, ['e1']);
  await isDisabled(world, 'PublisherFunction');
}

export const eventSourceDrills: Readonly<Record<string, Drill>> = {
  StreamAge: {
    cause: (world) => leaveUnread(world, 'old'),
    look: [dispatcherIsDisabled, /TrackerDispatcherFunction\S+\tDisabled/],
    gone: (world) => hasApplied(world, 'tickets', 'old', ['e1']),
  },

  Unread: {
    cause: (world) => leaveUnread(world, 'unread'),
    look: [dispatcherIsDisabled, /\tDisabled\t/],
    gone: (world) => hasApplied(world, 'tickets', 'unread', ['e1']),
  },

  EventSources: {
    cause: (world) => leaveUnread(world, 'disabled'),
    look: [
      dispatcherIsDisabled,
      /event source mapping does not work/,
      /"mapping":"TrackerDispatcherFunction\w+","reason":"the state is Disabl/,
    ],
    gone: (world) => hasApplied(world, 'tickets', 'disabled', ['e1']),
  },

  NotificationStreamAge: {
    cause: (world) => leaveUnpublished(world, 'late-notification'),
    look: [publisherIsDisabled, /TrackerPublisherFunction\S+\tDisabled/],
    gone: (world) => isNotified(world, 'late-notification'),
  },

  NotificationsUnread: {
    cause: (world) => leaveUnpublished(world, 'not-published'),
    look: [publisherIsDisabled, /\tDisabled\t/],
    gone: (world) => isNotified(world, 'not-published'),
  },
};
