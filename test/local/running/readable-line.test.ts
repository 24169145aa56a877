import { describe, expect, it } from 'vitest';
import { formatLog } from '../../../src/aws-local/lambda/environment/log-format.ts';
import { readableLine } from '../../../src/local/running/readable-line.ts';

const at = new Date(2026, 10, 28, 9, 5, 7);

/** Formats the arguments of a console method as a line of the terminal. */
const shown = (level: string, ...parts: unknown[]) =>
  readableLine(
    formatLog.JSON({ timestamp: at.toISOString(), level, requestId: 'request-1' }, parts),
  );

describe('a log line of a function on a terminal', () => {
  it('contains the local time, the level, and the message', () => {
    expect(shown('INFO', 'loaded', { count: 2 })).toBe('09:05:07 INFO  loaded { count: 2 }');
  });

  it('contains the fields of a message after its reason, without fields that are null', () => {
    expect(
      shown('WARN', {
        message: 'dead letter',
        model: null,
        event: 'e1',
        note: 'two words',
        reason: 'no such model: claims',
      }),
    ).toBe('09:05:07 WARN  dead letter: no such model: claims  event=e1 note="two words"');
  });

  it('ends with the stack of an error', () => {
    const error = new RangeError('too large');
    error.stack = 'RangeError: too large\n    at fold (model.ts:1:2)';
    expect(shown('ERROR', error)).toBe(
      '09:05:07 ERROR RangeError: too large\n    at fold (model.ts:1:2)',
    );
  });

  it('contains the message of an error only once, even if it has several lines', () => {
    const error = new Error('no configuration\nset REGION');
    error.stack = 'Error: no configuration\nset REGION\n    at fold (model.ts:1:2)';
    expect(shown('ERROR', error)).toBe(
      '09:05:07 ERROR Error: no configuration\nset REGION\n    at fold (model.ts:1:2)',
    );
  });

  it('contains the place of a fault only once', () => {
    const place = 'models/order/model.ts:3:4';
    expect(shown('ERROR', { message: 'model failed', place, stack: [place] })).toBe(
      `09:05:07 ERROR model failed  place=${place}`,
    );
    expect(shown('ERROR', { message: 'model failed', place, stack: [place, 'b.ts:5:6'] })).toBe(
      `09:05:07 ERROR model failed  place=${place}\n    at ${place}\n    at b.ts:5:6`,
    );
  });

  it('contains no control characters of an event, except line breaks and tabs', () => {
    expect(shown('WARN', { message: 'parked', reason: 'a\u001b[31mb' })).toBe(
      '09:05:07 WARN  parked: a\\x1b[31mb',
    );
    expect(shown('INFO', 'a\tb\nc')).toBe('09:05:07 INFO  a\tb\nc');
  });

  it.each([
    'Milepost is starting…',
    '{"ready":true}',
    '{"timestamp":"yesterday","level":"INFO","message":"x"}',
    '{"timestamp":',
  ])('is unchanged if Lambda did not write it: %s', (line) => {
    expect(readableLine(line)).toBe(line);
  });
});
