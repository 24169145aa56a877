import { halvesOf } from '../common/chunks.ts';
import { messageOf } from '../common/message-of.ts';
import { type Notification, notificationsOf } from '../core/effects/notification.ts';
import {
  duplicateReply,
  duplicateReplyTo,
  type OutgoingEvent,
  outgoingEvents,
} from '../core/effects/outgoing-event.ts';
import { isPermanent } from '../core/errors.ts';
import { partitionKeyOf } from '../core/event/event.ts';
import type { CommitTail } from '../core/history/commit.ts';
import type { InstanceStore } from '../stores/instance-store.ts';
import type { Wakeups } from '../stores/wakeups.ts';
import type { EventStream, OutgoingRecord } from '../stream/event-stream.ts';
import { RecordsRefusedError } from '../stream/records-refused-error.ts';
import type { CompletedTails, TailPart } from './completed-tails.ts';
import { faultOf, type InstanceWork } from './instance-work.ts';
import type { Notifier } from './notifier.ts';

export interface TailDependencies {
  readonly store: InstanceStore;
  readonly stream: EventStream;
  readonly notifier: Notifier;
  /**
   * Schedules runs of the clock at the due times of timers. Default: none, so the clock finds due timers only in its
   * regular runs.
   */
  readonly wakeups?: Wakeups;
  /** The commits whose tails this process completed. Default: none, so every tail is repeated on redelivery. */
  readonly completedTails?: CompletedTails;
}

/**
 * Completes commits' tails: sends their events and notifications and writes the status rows. The tails of redelivered
 * events' commits are also completed because a crash right after a commit may have interrupted them. Completing a tail
 * is idempotent because every id is derived from the commit.
 */
export async function completeTails(
  dependencies: TailDependencies,
  works: readonly InstanceWork[],
): Promise<void> {
  for (const work of works) if (!work.head) deferReplies(work);
  const { completedTails: completed } = dependencies;
  const tails = works.map((work): Tail => {
    const commits = [...work.tails].filter((commit) => !completed?.has(commit));
    const without = (part: TailPart) => commits.filter((commit) => !completed?.has(commit, part));
    const events = [...without('events').flatMap(outgoingEvents), ...duplicateReplies(work)];
    const notifications = without('notifications').flatMap(notificationsOf);
    return { work, commits, records: events.map(toRecord), notifications };
  });
  const isQuiet = ({ records, notifications }: Tail) =>
    records.length === 0 && notifications.length === 0;
  // An instance with nothing to send must not wait for the streams.
  await Promise.all([
    complete(dependencies, tails.filter(isQuiet)),
    complete(
      dependencies,
      tails.filter((tail) => !isQuiet(tail)),
    ),
  ]);
}

/** The tail of an instance's commits: what to send, and the work to complete. */
interface Tail {
  readonly work: InstanceWork;
  readonly commits: readonly CommitTail[];
  readonly records: readonly OutgoingRecord[];
  readonly notifications: readonly Notification[];
}

async function complete(
  { stream, notifier, store, wakeups, completedTails }: TailDependencies,
  tails: readonly Tail[],
): Promise<void> {
  const failed = new Set<Tail>();
  const attempt = async (
    part: TailPart,
    some: readonly Tail[],
    act: (tails: readonly Tail[]) => Promise<void>,
  ): Promise<void> => {
    if (some.length === 0) return;
    try {
      await act(some);
      remember(part, some);
    } catch (error) {
      if (some.length > 1 && isPermanent(error)) {
        // At least one instance caused the rejection. Split the batch so that the other instances can complete.
        for (const half of halvesOf(some)) await attempt(part, half, act);
        return;
      }
      // If only some records were rejected, only their instances fail: the stream accepted all other records.
      const refused = error instanceof RecordsRefusedError ? error.refused : undefined;
      const isRefused = ({ records, notifications }: Tail) =>
        !refused || [...records, ...notifications].some((sent) => refused.has(sent));
      for (const tail of some)
        if (isRefused(tail)) fail(tail, error);
        else remember(part, [tail]);
    }
  };
  const remember = (part: TailPart, some: readonly Tail[]) => {
    // Remember each completed part so that a redelivery repeats only the failed parts.
    for (const { commits } of some) for (const commit of commits) completedTails?.add(commit, part);
  };
  const fail = (tail: Tail, error: unknown) => {
    failed.add(tail);
    tail.work.retryAllLater(messageOf(error), faultOf(error));
  };
  const sending = tails.filter(({ records }) => records.length > 0);
  const notifying = tails.filter(({ notifications }) => notifications.length > 0);
  // The status rows must not wait for the streams, because lists show a change only after its row is written.
  await Promise.all([
    attempt('events', sending, (some) => stream.put(some.flatMap(({ records }) => records))),
    attempt('notifications', notifying, (some) =>
      notifier.publish(some.flatMap(({ notifications }) => notifications)),
    ),
    writeStatus(store, tails, fail),
  ]);
  await wakeups?.schedule(tails.flatMap(dueTimes));
  for (const tail of tails.filter((each) => !failed.has(each))) {
    for (const commit of tail.commits) completedTails?.add(commit);
    tail.work.markComplete();
  }
}

/**
 * Returns the due times of an instance's timers, in milliseconds since 1970; empty if there are no commits whose tails
 * must be completed.
 */
function dueTimes({ work, commits }: Tail): number[] {
  if (commits.length === 0) return [];
  return work.head?.timers.map(({ dueAt }) => Date.parse(dueAt)) ?? [];
}

function duplicateReplies({ head, resent }: InstanceWork): OutgoingEvent[] {
  if (!head) return [];
  const { status } = head.description;
  return [...resent].flatMap(({ event, position }) => {
    const replyTo = duplicateReplyTo(event);
    return replyTo ? duplicateReply(event, replyTo, status, position) : [];
  });
}

/**
 * Defers replies to duplicates in an instance without a commit. A reply contains the instance's status, which is
 * unknown until the original event is applied.
 */
function deferReplies(work: InstanceWork): void {
  work.deferResent([...work.resent].filter(({ event }) => duplicateReplyTo(event)));
}

function toRecord({ to, event }: OutgoingEvent): OutgoingRecord {
  return {
    partitionKey: partitionKeyOf(to),
    sender: event.source as string,
    data: Buffer.from(JSON.stringify(event)),
  };
}

async function writeStatus(
  store: InstanceStore,
  tails: readonly Tail[],
  fail: (tail: Tail, error: unknown) => void,
): Promise<void> {
  const stale = tails.flatMap((tail) => {
    const { head, isRowStale } = tail.work;
    return isRowStale && head ? [{ tail, head }] : [];
  });
  const answers = await store.writeStatus(stale.map(({ head }) => head));
  for (const [index, { tail }] of stale.entries()) {
    const answer = answers[index]!;
    if ('error' in answer) fail(tail, answer.error);
  }
}
