/**
 * The place where a shell block of a runbook runs while the fault exists: `local`, against a local service; or
 * `emulator`, against a stack in MiniStack (`test/deploy/runbooks.test.ts`).
 */
export type Place = 'local' | 'emulator';

/** The environment in which each shell block under "Look" and "Do" runs, in the order of the page. */
export interface Coverage {
  readonly look: readonly Place[];
  readonly do: readonly Place[];
}

/** Every section of docs/how-to/respond-to-alarms.md. */
export const coverage: Readonly<Record<string, Coverage>> = {
  IteratorAge: { look: ['local', 'emulator'], do: ['emulator'] },
  StreamAge: { look: ['local'], do: ['local'] },
  Unread: { look: ['local'], do: ['local'] },
  MissingRecords: { look: ['emulator'], do: ['emulator'] },
  EventSources: { look: ['local'], do: ['local'] },
  DeadLetters: { look: ['local', 'local'], do: ['local'] },
  Parked: { look: ['local'], do: ['local'] },
  GivenUp: { look: ['local'], do: ['local', 'local'] },
  Dropped: { look: ['emulator'], do: ['emulator', 'emulator'] },
  DispatcherErrors: { look: ['local'], do: ['local'] },
  DispatcherTimeouts: { look: ['local'], do: ['local'] },
  DispatcherThrottles: { look: ['local'], do: ['local'] },
  ModelErrors: { look: ['local'], do: ['local'] },
  ModelThrottles: { look: ['local'], do: ['local'] },
  NotificationAge: { look: ['local'], do: ['local'] },
  NotificationStreamAge: { look: ['local'], do: ['local'] },
  NotificationsUnread: { look: ['local'], do: ['local'] },
  NotificationThrottles: { look: ['emulator'], do: ['emulator'] },
  PublisherErrors: { look: ['local'], do: ['local'] },
  PublisherThrottles: { look: ['local'], do: ['local'] },
  RefusedNotifications: { look: ['local'], do: ['local'] },
  NotificationsGivenUp: { look: ['local'], do: ['local', 'local'] },
  NotificationsDropped: { look: ['emulator'], do: ['emulator'] },
  UndeliveredNotifications: { look: ['emulator'], do: ['emulator', 'emulator'] },
  ApiErrors: { look: ['local'], do: ['local'] },
  ApiThrottles: { look: ['local'], do: ['local'] },
  CustomerPagesThrottles: { look: ['local'], do: ['local'] },
  ClockErrors: { look: ['local', 'emulator'], do: ['local', 'emulator'] },
  Canary: { look: ['local', 'emulator'], do: ['emulator'] },
  KeyRotationErrors: { look: ['local'], do: ['local'] },
  Behind: { look: ['local'], do: ['local', 'local'] },
  ArchiveThrottles: { look: ['local'], do: ['local'] },
  NotDelivered: { look: ['local'], do: ['local'] },
  UnarchivedCommits: { look: ['local'], do: ['local'] },
  NotPut: { look: ['emulator'], do: ['emulator'] },
  CountsBehind: { look: ['local'], do: ['local'] },
  CounterErrors: { look: ['local'], do: ['local'] },
  CounterThrottles: { look: ['local'], do: ['local'] },
  LostCounts: { look: ['local'], do: ['local'] },
  WriteThrottles: { look: ['emulator'], do: ['emulator'] },
  ReadThrottles: { look: ['emulator'], do: ['emulator'] },
};

/** Returns the blocks of a part that run in the given place. */
export const blocksIn = (
  place: Place,
  blocks: readonly string[],
  places: readonly Place[],
): readonly string[] => blocks.filter((_, index) => places[index] === place);
