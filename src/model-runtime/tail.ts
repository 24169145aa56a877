import { messageOf } from '../common/message-of.ts';
import {
  duplicateReply,
  type FollowUp,
  followUps,
  hearsOfDuplicate,
} from '../core/effects/follow-up.ts';
import { type Notice, noticesOf } from '../core/effects/notice.ts';
import { isPermanent } from '../core/errors.ts';
import { partitionKeyOf } from '../core/event/event.ts';
import type { CommitTail } from '../core/history/commit.ts';
import type { InstanceStore } from '../stores/instance-store.ts';
import type { EventStream, OutgoingRecord } from '../stream/event-stream.ts';
import { RecordsRefused } from '../stream/records-refused.ts';
import type { CompletedTails } from './completed-tails.ts';
import type { Notifier } from './notifier.ts';
import { faultOf, type InstanceWork } from './work.ts';

/** What the tail of a commit needs around it. */
export interface TailEnvironment {
  readonly store: InstanceStore;
  readonly stream: EventStream;
  readonly notifier: Notifier;
  /** The commits whose tails this process completed; none: it repeats every tail it is sent again. */
  readonly completedTails?: CompletedTails;
}

/**
 * Does what follows from commits: the events that they send, what people are to hear, and the
 * status rows. It is done for what the stream delivers again too, so that a redelivery completes
 * what a crash right after a commit left undone; done twice it changes nothing, because every id
 * follows from the commit.
 */
export async function doTail(
  environment: TailEnvironment,
  works: readonly InstanceWork[],
): Promise<void> {
  for (const work of works) if (!statusOf(work)) waitForFirst(work);
  const { completedTails: completed } = environment;
  const tails = works.map((work): Tail => {
    const commits = [...work.commits].filter((commit) => !completed?.has(commit));
    const records = [...commits.flatMap(followUps), ...duplicateReplies(work)].map(toRecord);
    return { work, commits, records, notices: commits.flatMap(noticesOf) };
  });
  const isQuiet = ({ records, notices }: Tail) => records.length === 0 && notices.length === 0;
  // An instance with nothing to send does not wait for services that it does not need.
  await Promise.all([
    complete(environment, tails.filter(isQuiet)),
    complete(
      environment,
      tails.filter((tail) => !isQuiet(tail)),
    ),
  ]);
}

/** The part of an instance's work that follows from its commits. */
interface Tail {
  readonly work: InstanceWork;
  readonly commits: readonly CommitTail[];
  readonly records: readonly OutgoingRecord[];
  readonly notices: readonly Notice[];
}

async function complete(
  { stream, notifier, store, completedTails }: TailEnvironment,
  tails: readonly Tail[],
): Promise<void> {
  const failed = new Set<Tail>();
  const attempt = async (
    some: readonly Tail[],
    act: (tails: readonly Tail[]) => Promise<void>,
  ): Promise<void> => {
    if (some.length === 0) return;
    try {
      await act(some);
    } catch (error) {
      if (some.length > 1 && isPermanent(error)) {
        // Refused because of one of them: the others are done without it.
        const middle = Math.ceil(some.length / 2);
        await attempt(some.slice(0, middle), act);
        await attempt(some.slice(middle), act);
        return;
      }
      // Instances whose records are on the stream are not held up by those of others.
      const refused = error instanceof RecordsRefused ? error.refused : undefined;
      for (const tail of some)
        if (!refused || [...tail.records, ...tail.notices].some((sent) => refused.has(sent)))
          fail(tail, error);
    }
  };
  const fail = (tail: Tail, error: unknown) => {
    failed.add(tail);
    tail.work.handBack(messageOf(error), faultOf(error));
  };
  const sending = tails.filter(({ records }) => records.length > 0);
  await attempt(sending, (some) => stream.put(some.flatMap(({ records }) => records)));
  const telling = tails.filter(({ notices }) => notices.length > 0);
  await attempt(telling, (some) => notifier.publish(some.flatMap(({ notices }) => notices)));
  await writeStatus(store, tails, fail);
  for (const tail of tails.filter((each) => !failed.has(each))) {
    for (const commit of tail.commits) completedTails?.add(commit);
    tail.work.isComplete = true;
  }
}

function duplicateReplies(work: InstanceWork): FollowUp[] {
  const status = statusOf(work);
  if (!status) return [];
  return [...work.repeated].flatMap(({ event, position }) => {
    const replyTo = hearsOfDuplicate(event);
    return replyTo ? duplicateReply(event, replyTo, status, position) : [];
  });
}

/**
 * There is no status to tell of yet: an event that repeats one that is not applied waits for it. It is parked
 * behind it where that is parked; otherwise it comes again, but a record that holds both brings both again.
 */
function waitForFirst(work: InstanceWork): void {
  const asking = [...work.repeated].filter(({ event }) => hearsOfDuplicate(event));
  if (work.isBehind) work.waitBehind(asking);
  else work.comeAgain(asking, 'the event that it repeats is not applied yet');
}

const statusOf = ({ newest }: InstanceWork) =>
  newest && newest !== 'unknown' ? newest.description.status : undefined;

function toRecord({ to, event }: FollowUp): OutgoingRecord {
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
  const known = tails.flatMap((tail) => {
    const { newest, rowIsBehind } = tail.work;
    return rowIsBehind && newest && newest !== 'unknown' ? [{ tail, newest }] : [];
  });
  const answers = await store.writeStatus(known.map(({ newest }) => newest));
  for (const [index, { tail }] of known.entries()) {
    const answer = answers[index]!;
    if ('error' in answer) fail(tail, answer.error);
  }
}
