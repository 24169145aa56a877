/**
 * The place where a shell block of a runbook runs: `local`, against a local service with the fault; `emulator`, against a
 * stack in MiniStack with the fault (`test/deploy/runbooks.test.ts`); or `checked`, for a block that neither supports:
 * only its syntax and its names are checked.
 */
export type Place = 'local' | 'emulator' | 'checked';

/** The place of each shell block under "Look" and "Do", in order. Parts without commands are empty. */
export interface Coverage {
  readonly look: readonly Place[];
  readonly do: readonly Place[];
}

/** Every section of docs/how-to/respond-to-alarms.md. */
export const coverage: Readonly<Record<string, Coverage>> = {
  IteratorAge: { look: ['local'], do: [] },
  StreamAge: { look: ['local'], do: [] },
  Unread: { look: ['local'], do: [] },
  EventSources: { look: ['local'], do: ['local'] },
  DeadLetters: { look: ['local', 'local'], do: ['local'] },
  Parked: { look: ['local'], do: ['local'] },
  GivenUp: { look: ['local'], do: ['local'] },
  Dropped: { look: ['emulator'], do: ['checked', 'emulator'] },
  DispatcherErrors: { look: ['local', 'checked'], do: [] },
  DispatcherTimeouts: { look: ['checked'], do: [] },
  DispatcherThrottles: { look: ['local'], do: ['local'] },
  ModelErrors: { look: ['local'], do: ['local'] },
  ModelThrottles: { look: ['local'], do: ['local'] },
  NotificationAge: { look: ['local'], do: [] },
  NotificationStreamAge: { look: [], do: [] },
  NotificationsUnread: { look: ['local'], do: [] },
  NotificationThrottles: { look: [], do: ['emulator'] },
  PublisherErrors: { look: ['local'], do: [] },
  PublisherThrottles: { look: [], do: [] },
  RefusedNotifications: { look: ['local'], do: ['local'] },
  NotificationsGivenUp: { look: ['local'], do: [] },
  NotificationsDropped: { look: ['emulator'], do: ['emulator'] },
  ApiErrors: { look: ['local'], do: [] },
  ApiThrottles: { look: ['local'], do: ['local'] },
  CustomerPagesThrottles: { look: ['local'], do: ['local'] },
  ClockErrors: { look: ['local', 'emulator'], do: ['emulator'] },
  Canary: { look: ['checked'], do: [] },
  KeyRotationErrors: { look: ['checked'], do: ['checked'] },
  Behind: { look: ['checked'], do: [] },
  ArchiveThrottles: { look: [], do: [] },
  NotPut: { look: ['checked'], do: [] },
};

/** The blocks of a part that run in a place. */
export const blocksIn = (
  place: Place,
  blocks: readonly string[],
  places: readonly Place[],
): readonly string[] => blocks.filter((_, index) => places[index] === place);
