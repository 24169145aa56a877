import { messageOf } from '../core/errors.ts';
import { partitionKeyOf } from '../core/event.ts';
import { duplicateReply, type FollowUp, followUps, hearsOfDuplicate } from '../core/follow-up.ts';
import { noticesOf } from '../core/notice.ts';
import type { EventStream, InstanceStore, Notifier, OutgoingRecord } from './ports.ts';
import { RecordsRefused } from './records-refused.ts';
import type { InstanceWork } from './work.ts';

/** What the tail of a commit needs around it. */
export interface TailEnvironment {
  readonly store: InstanceStore;
  readonly stream: EventStream;
  readonly notifier: Notifier;
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
  await send(environment.stream, works);
  await publish(environment.notifier, works);
  await writeStatus(environment.store, works);
}

async function send(stream: EventStream, works: readonly InstanceWork[]): Promise<void> {
  const each = works.map((work) => ({ work, records: followUpsOf(work).map(toRecord) }));
  const records = each.flatMap((one) => one.records);
  if (records.length === 0) return;
  try {
    await stream.put(records);
  } catch (error) {
    // Instances whose records are on the stream are not held up by those of others.
    const refused = error instanceof RecordsRefused ? error.refused : new Set(records);
    for (const { work, records } of each)
      if (records.some((record) => refused.has(record))) work.tailFailed(messageOf(error));
  }
}

async function publish(notifier: Notifier, works: readonly InstanceWork[]): Promise<void> {
  const { concerned, things } = ofThose(works, (work) => [...work.commits].flatMap(noticesOf));
  await orFail(concerned, () => notifier.publish(things));
}

/** What there is to do of each, and the instances for which there is something. */
function ofThose<Thing>(works: readonly InstanceWork[], thingsOf: (work: InstanceWork) => Thing[]) {
  const each = works.map((work) => ({ work, things: thingsOf(work) }));
  const some = each.filter(({ things }) => things.length > 0);
  return { concerned: some.map(({ work }) => work), things: some.flatMap(({ things }) => things) };
}

async function orFail(works: readonly InstanceWork[], act: () => Promise<void>): Promise<void> {
  if (works.length === 0) return;
  try {
    await act();
  } catch (error) {
    for (const work of works) work.tailFailed(messageOf(error));
  }
}

function followUpsOf(work: InstanceWork): FollowUp[] {
  return [...[...work.commits].flatMap(followUps), ...duplicateReplies(work)];
}

function duplicateReplies(work: InstanceWork): FollowUp[] {
  const status = statusOf(work);
  if (!status) return [];
  return [...work.repeated].flatMap(({ event, position }) => {
    const replyTo = hearsOfDuplicate(event);
    return replyTo ? duplicateReply(event, replyTo, status, position) : [];
  });
}

/** There is no status to tell of yet: what repeats an event that is not applied comes again after it. */
function waitForFirst(work: InstanceWork): void {
  const asking = [...work.repeated].filter(({ event }) => hearsOfDuplicate(event));
  work.comeAgain(asking, 'the event that it repeats is not applied yet');
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

async function writeStatus(store: InstanceStore, works: readonly InstanceWork[]): Promise<void> {
  const known = works.flatMap((work) => {
    const { newest } = work;
    return work.rowIsBehind && newest && newest !== 'unknown' ? [{ work, newest }] : [];
  });
  const answers = await store.writeStatus(known.map(({ newest }) => newest));
  for (const [index, { work }] of known.entries()) {
    const answer = answers[index]!;
    if ('error' in answer) work.tailFailed(messageOf(answer.error));
  }
}
