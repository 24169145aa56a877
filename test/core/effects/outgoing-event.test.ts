import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emit, notify } from '../../../src/core/effects/effect.ts';
import {
  duplicateReply,
  duplicateReplyTo,
  outgoingEvents,
} from '../../../src/core/effects/outgoing-event.ts';
import { checkEvent, type InstanceKey, type TrackedEvent } from '../../../src/core/event/event.ts';
import type { HistoryEntry } from '../../../src/core/history/history-entry.ts';
import { anyCommit } from '../../support/data/any-commit.ts';
import { commitOf, entryOf } from '../../support/data/commits.ts';
import { event } from '../../support/data/events.ts';

const key = { model: 'counter', transaction: 'T1' };
const asker = { model: 'asker', transaction: 'a/b' };
const told = emit({ model: 'other', transaction: 'T2', type: 'told', data: { n: 1 } });

const commit = (...entries: readonly Partial<HistoryEntry>[]) =>
  commitOf(key, 7, { entries: entries.map((entry, i) => entryOf(key, entry, `e${i}`)) });
const asking = (more: Partial<HistoryEntry> = {}): Partial<HistoryEntry> => ({
  ...more,
  event: { ...entryOf(key).event, id: 'asked', replyTo: asker },
});

/** Decodes sent events as a consumer of the stream does. */
function taken(sent: readonly { event: object; to: InstanceKey }[]): TrackedEvent[] {
  return sent.map(({ event: each, to }) => {
    const checked = checkEvent(JSON.parse(JSON.stringify(each)) as never, 0);
    if (!checked.ok) throw new Error(checked.reason);
    expect(checked.event).toMatchObject(to);
    return checked.event;
  });
}

describe('the outgoing events of a commit', () => {
  it('are the emitted events, with the instance as the source and the time of the cause', () => {
    expect(taken(outgoingEvents(commit({ effects: [told] })))).toEqual([
      {
        id: '7.0.0',
        source: 'milepost:counter/T1',
        model: 'other',
        transaction: 'T2',
        type: 'told',
        time: '2026-01-01T00:00:00.000Z',
        data: { n: 1 },
      },
    ]);
  });

  it('request a reply with the outcome if the model sets replyTo', () => {
    const [sent] = taken(outgoingEvents(commit({ effects: [{ ...told, replyTo: true }] })));
    expect(sent).toMatchObject({ replyTo: key });
  });

  it("follow the order of the folded events, with each event's emitted events before its reply", () => {
    const sent = taken(
      outgoingEvents(
        commit({ effects: [told, notify('Told'), told] }, asking({ effects: [told] }), {}),
      ),
    );
    expect(sent.map(({ id }) => id)).toEqual(['7.0.0', '7.0.2', '7.1.0', 'reply/7.1']);
  });

  it('are empty if nothing is emitted and no reply is requested', () => {
    expect(outgoingEvents(commit({}, { effects: [notify('Told')] }))).toEqual([]);
  });

  it.each([
    ['applied', null],
    ['rejected', 'below zero'],
  ] as const)('report to the instance in replyTo that an event was %s', (outcome, reason) => {
    const [reply] = taken(outgoingEvents(commit(asking({ outcome, reason, status: 'Low' }))));
    expect(reply).toEqual({
      ...asker,
      id: 'reply/7.0',
      source: 'milepost:counter/T1',
      type: 'outcome.recorded',
      time: '2026-01-01T00:00:00.000Z',
      data: {
        id: 'asked',
        source: 'test',
        type: 'moved',
        modelid: 'counter',
        transactionid: 'T1',
        outcome,
        reason,
        status: 'Low',
      },
    });
  });

  it('have a source that is unique to the instance, even if the transaction id is long', () => {
    const sourceOf = (transaction: string) => {
      const long = { model: 'm'.repeat(64), transaction };
      const made = commitOf(long, 1, { entries: [entryOf(long, { effects: [told] })] });
      return taken(outgoingEvents(made))[0]!.source;
    };
    const start = `milepost:${'m'.repeat(64)}/`;
    expect(sourceOf('x'.repeat(182))).toBe(`${start}${'x'.repeat(182)}`);
    const long = [sourceOf('🚲'.repeat(256)), sourceOf(`${'🚲'.repeat(255)}x`)];
    const copied = sourceOf(long[0]!.slice(start.length));
    expect(new Set([...long, copied]).size).toBe(3);
    expect([...long, copied].every((source) => source.startsWith(start))).toBe(true);
  });

  it('depend only on the commit and have unique ids', () => {
    fc.assert(
      fc.property(anyCommit, (made) => {
        const sent = outgoingEvents(made);
        expect(outgoingEvents(JSON.parse(JSON.stringify(made)) as typeof made)).toEqual(sent);
        const ids = sent.map((each) => each.event.id);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });
});

describe('the reply to a duplicate', () => {
  const asked = event({ id: 'e1', replyTo: asker });
  const position = { shard: 'shard-0', sequence: '7' };

  it('goes to the instance in replyTo, with an id derived from the position of the record', () => {
    const reply = duplicateReply(asked, asker, 'Low', position);
    expect(taken([reply])).toMatchObject([
      {
        ...asker,
        id: 'reply/shard-0/7',
        source: 'milepost:counter/T1',
        data: { id: 'e1', outcome: 'duplicate', reason: null, status: 'Low' },
      },
    ]);
    expect(duplicateReply(asked, asker, 'Low', { ...position, sequence: '8' }).event.id).not.toBe(
      reply.event.id,
    );
  });

  it('is sent if a producer resends the event, but not if an instance emitted the event', () => {
    expect(duplicateReplyTo(asked)).toEqual(asker);
    expect(duplicateReplyTo(event())).toBeUndefined();
    const [emitted] = taken(outgoingEvents(commit({ effects: [{ ...told, replyTo: true }] })));
    expect(duplicateReplyTo(emitted!)).toBeUndefined();
  });
});
