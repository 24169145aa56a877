import { describe, expect, it } from 'vitest';
import {
  behindReason,
  commonReason,
  groupByReason,
  hasReason,
} from '../../../src/core/event/dead-letter-reason.ts';
import { checkEvent, decodeEvent } from '../../../src/core/event/event.ts';

const common = (reason: string, eventId: string | null = 'e1') => commonReason({ reason, eventId });

describe('the common reason of a dead letter', () => {
  it.each([
    [
      'model claim failed on approved e1: oh (a.ts:5:3)',
      'model claim failed on approved: oh (a.ts:5:3)',
    ],
    [
      'model claim failed on approved e1, in describe: oh',
      'model claim failed on approved, in describe: oh',
    ],
    [
      "the model's function failed: Sandbox.Timedout RequestId: 499679bf-da98-45f4-988b-64cee709c070 Error: Task timed out after 10.00 seconds",
      "the model's function failed: Sandbox.Timedout Error: Task timed out after 10.00 seconds",
    ],
    [
      "the model's function failed: 2026-11-28T00:15:34.493Z 499679bf-da98-45f4-988b-64cee709c070 Task timed out after 10.00 seconds",
      "the model's function failed: Task timed out after 10.00 seconds",
    ],
  ])('contains neither the event id nor the id of an invocation: %j', (reason, expected) => {
    expect(common(reason)).toBe(expected);
  });

  it.each([
    '2026-01-31 17:00:00',
    'a "quoted" day; noon',
    '\\'.repeat(60),
    'x'.repeat(300),
    17,
    true,
  ])('omits the time of an event if the time is invalid: %j', (time) => {
    const event = { specversion: '1.1', id: 'e1', type: 't', modelid: 'm', transactionid: 'T' };
    const decoded = checkEvent({ ...event, time }, 0);
    expect(common(decoded.ok ? '' : decoded.reason)).toBe(
      'specversion must be "1.0"; got "1.1"; time must be an RFC 3339 date and time, such as 2026-01-31T17:00:00Z',
    );
  });

  const decoded = (record: string) => {
    const result = decodeEvent(Buffer.from(record), 0);
    return common(result.ok ? '' : result.reason);
  };
  const event = { id: 'e1', type: 't', modelid: 'm', transactionid: 'T' };

  it.each(['', 'bm90', '{"id":', '{"id":"e1"}}', '<html>\n</html>', '{"a":"; got"'])(
    'omits the message of the JSON parser about the record %j',
    (record) => {
      expect(decoded(record)).toBe('not JSON');
    },
  );

  it.each(['Order', 'a; b "c', 'ä'.repeat(90)])('omits an invalid id in an attribute: %j', (id) => {
    const reason = decoded(
      JSON.stringify({ ...event, modelid: id, replyto: id, specversion: '2' }),
    );
    expect(reason).toBe(
      'specversion must be "1.0"; got "2"; modelid must have 1 to 64 characters from a-z, 0-9, and -; replyto must have the form MODEL/TRANSACTION',
    );
  });

  it('omits the size of a record that is too large, and a number that cannot be represented', () => {
    expect(decoded(JSON.stringify({ ...event, data: 'x'.repeat(270_000) }))).toBe(
      'too large; the limit is 262144',
    );
    expect(decoded(`{"id":"e1","data":${'9'.repeat(50)}}`)).toBe(
      'the number has no exact representation; send it as a string',
    );
  });

  it('keeps an event id that is part of the error message', () => {
    expect(common('model m failed on t e1: no order e1: oh')).toBe(
      'model m failed on t: no order e1: oh',
    );
  });

  it('is the reason itself if there is no event id', () => {
    expect(common('not JSON', null)).toBe('not JSON');
    expect(common('not UTF-8', '')).toBe('not UTF-8');
  });
});

describe('hasReason', () => {
  const letter = { reason: 'model m failed on t e1: first\nsecond', eventId: 'e1' };
  it.each([
    letter.reason,
    'model m failed on t: first\nsecond',
    'model m failed on t e1: first\\nsecond',
  ])('accepts the reason if it is written as %j', (wanted) => {
    expect(hasReason(letter, wanted)).toBe(true);
  });

  it('does not accept part of the reason', () => {
    expect(hasReason(letter, 'model m failed on t')).toBe(false);
  });
});

describe('groups of dead letters', () => {
  const letter = (id: string, reason: string, eventId = null as string | null) => ({
    id,
    reason,
    eventId,
  });
  const groups = (...letters: ReturnType<typeof letter>[]) =>
    groupByReason(letters).map(({ reason, letters: each }) => [reason, each.map(({ id }) => id)]);

  it('each contain the dead letters with one reason, and the largest group comes first', () => {
    expect(
      groups(letter('1', 'not JSON'), letter('2', 'too large'), letter('3', 'too large')),
    ).toEqual([
      ['too large', ['2', '3']],
      ['not JSON', ['1']],
    ]);
  });

  it('combine faults of a model in the same place, ignoring event ids', () => {
    const fault = (eventId: string) =>
      letter(eventId, `model claim failed on approved ${eventId}: oh (model.ts:5:3)`, eventId);
    expect(groups(fault('e1'), fault('e2'))).toEqual([
      ['model claim failed on approved: oh (model.ts:5:3)', ['e1', 'e2']],
    ]);
  });

  it('end with the events that only wait behind a parked event, even if most events do', () => {
    const behind = ['2', '3', '4'].map((id) => letter(id, behindReason));
    expect(groups(letter('1', 'not JSON'), ...behind, letter('5', 'too large'))).toEqual([
      ['not JSON', ['1']],
      ['too large', ['5']],
      [behindReason, ['2', '3', '4']],
    ]);
  });
});
