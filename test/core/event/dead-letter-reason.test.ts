import { describe, expect, it } from 'vitest';
import { commonReason, hasReason } from '../../../src/core/event/dead-letter-reason.ts';
import { checkEvent } from '../../../src/core/event/event.ts';

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

  it('keeps an event id that is part of the error message', () => {
    expect(common('model m failed on t e1: no order e1: oh')).toBe(
      'model m failed on t: no order e1: oh',
    );
  });

  it('is the reason itself if there is no event id', () => {
    expect(common('not JSON', null)).toBe('not JSON');
    expect(common('too large: 270180 bytes', '')).toBe('too large: 270180 bytes');
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
