import { describe, expect, it } from 'vitest';
import { checkEffects, effectsViolation } from '../../../src/core/effects/check-effects.ts';
import {
  cancelTimer,
  type Effect,
  emit,
  notify,
  startTimer,
} from '../../../src/core/effects/effect.ts';
import { outgoingEvents } from '../../../src/core/effects/outgoing-event.ts';
import { decodeEvent } from '../../../src/core/event/event.ts';
import type { Json } from '../../../src/core/json/json.ts';
import { commitOf, entryOf } from '../../support/data/commits.ts';
import { signed } from '../../support/data/event-macs.ts';
import { event } from '../../support/data/events.ts';
import { thrownBy } from '../../support/thrown-by.ts';

const target = { model: 'other', transaction: 'T2', type: 'told' };

/** Returns the string `x` inside the given number of nested arrays. */
const deep = (levels: number): Json =>
  Array.from({ length: levels }).reduce<Json>((inner) => [inner], 'x');

describe('effects', () => {
  it('have empty data by default', () => {
    expect(emit(target)).toEqual({ kind: 'emit', ...target, data: {} });
    expect(emit({ ...target, data: undefined })).toEqual(emit(target));
    expect(emit({ ...target, data: null })).toMatchObject({ data: null });
    expect(notify('Shipped')).toEqual({ kind: 'notify', type: 'Shipped', data: {} });
  });
});

describe('checkEffects', () => {
  it('accepts every kind of effect', () => {
    const effects = [
      emit(target),
      emit({ ...target, data: [1, 'two'], replyTo: true }),
      startTimer('late', '2026-01-01T00:00:00.000Z'),
      cancelTimer('late'),
      notify('Shipped', { n: 1 }),
    ];
    expect(checkEffects(effects)).toEqual(effects);
    expect(checkEffects([])).toEqual([]);
  });

  it('converts the times of timers to UTC with millisecond precision', () => {
    const times = [
      ['2026-01-01T01:00:00+01:00', '2026-01-01T00:00:00.000Z'],
      ['2026-01-01T00:00:00.123999999Z', '2026-01-01T00:00:00.123Z'],
      ['2026-12-31T23:59:60Z', '2027-01-01T00:00:00.000Z'],
    ];
    for (const [given, taken] of times)
      expect(checkEffects([startTimer('t', given!)])).toEqual([startTimer('t', taken!)]);
  });

  it('accepts names of up to 200 characters, including emoji', () => {
    const timer = cancelTimer('🚲'.repeat(200));
    expect(checkEffects([timer])).toEqual([timer]);
  });

  it.each<[what: string, effects: unknown, message: string]>([
    ['effects that are not a list', { kind: 'emit' }, 'invalid effects: Invalid type'],
    ['an undefined effect', [undefined], 'invalid effects: 0'],
    ['an unknown kind', [{ kind: 'email' }], '0.kind'],
    ['a missing model', [{ ...emit(target), model: undefined }], '0.model'],
    ['an invalid model id', [{ ...emit(target), model: 'Other' }], '0.model: model must have'],
    ['an empty transaction', [{ ...emit(target), transaction: '' }], '0.transaction'],
    ['a control character', [{ ...emit(target), transaction: 'a\nb' }], '0.transaction'],
    ['an empty type', [{ ...emit(target), type: '' }], '0.type'],
    ['a type that is too long', [{ ...emit(target), type: 'x'.repeat(257) }], '0.type'],
    ['data that is not JSON', [{ ...emit(target), data: { n: Number.NaN } }], 'data.n is NaN'],
    ['a date as data', [notify('T', { at: new Date(0) } as never)], 'data.at is a Date'],
    ['a replyTo that is not a boolean', [{ ...emit(target), replyTo: 'me' }], '0.replyTo'],
    ['a timer without a name', [startTimer('', '2026-01-01T00:00:00Z')], '1 to 200 characters'],
    ['a name that is too long', [cancelTimer('x'.repeat(201))], '1 to 200 characters'],
    ['a lone surrogate', [cancelTimer('\ud800')], '1 to 200 characters'],
    [
      'a nonexistent date',
      [startTimer('t', '2026-02-30T00:00:00Z')],
      'must be an RFC 3339 date and time, such as 2026-01-31T17:00:00Z; got "2026-02-30T00:00:00Z"',
    ],
    [
      'a time in words',
      [startTimer('t', 'tomorrow')],
      'must be an RFC 3339 date and time, such as 2026-01-31T17:00:00Z; got "tomorrow"',
    ],
    ['a notification type that is too long', [notify('x'.repeat(129))], '1 to 128 characters'],
    ['an invalid second effect', [cancelTimer('t'), cancelTimer('')], '1.name'],
    ['more than 2,000 effects', Array(2_001).fill(cancelTimer('t')), 'at most 2000 are allowed'],
  ])('rejects %s', (_, effects, message) => {
    const thrown = thrownBy(() => checkEffects(effects));
    expect(thrown).toBeInstanceOf(TypeError);
    expect((thrown as Error).message).toContain(message);
  });

  it('accepts 2,000 effects', () => {
    expect(checkEffects(Array(2_000).fill(cancelTimer('t')))).toHaveLength(2_000);
  });
});

describe('effectsViolation', () => {
  const cause = event({ transaction: '🚲'.repeat(256) });
  const filled = (bytes: number) => emit({ ...target, data: 'x'.repeat(bytes), replyTo: true });
  /** Reports whether a consumer of the stream accepts the event that `effect` emits in the given version. */
  const isTaken = (effect: Effect, version: number) => {
    const entry = entryOf(cause, { effects: [effect as never] });
    const [sent] = outgoingEvents(commitOf(cause, version, { entries: [entry] }));
    const longestKeyId = JSON.stringify({ 999999999999: 'x'.repeat(32) });
    return decodeEvent(signed(sent!.event, longestKeyId), 0).ok;
  };

  it('rejects exactly the events that would be too large for the stream', () => {
    const fits = (bytes: number) => effectsViolation([filled(bytes)], cause) === undefined;
    let [low, high] = [200_000, 300_000];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (fits(middle)) low = middle;
      else high = middle;
    }
    expect(isTaken(filled(low), 9_999_999_999)).toBe(true);
    expect(isTaken(filled(low + 1), 9_999_999_999)).toBe(false);
    expect(effectsViolation([filled(high)], cause)).toBe(
      'told would take 262145 bytes; the limit is 262144',
    );
  });

  it('rejects an event whose content would make it a dead letter', () => {
    const nested = (levels: number) => emit({ ...target, data: deep(levels) });
    expect(effectsViolation([nested(99)], cause)).toBeUndefined();
    expect(isTaken(nested(99), 1)).toBe(true);
    expect(effectsViolation([nested(100)], cause)).toBe(
      'told would not be a valid event: nested more than 100 levels deep',
    );
    expect(isTaken(nested(100), 1)).toBe(false);
    const odd = emit({ ...target, data: JSON.parse('{"__proto__":1}') as Json });
    expect(effectsViolation([odd], cause)).toContain('the key "__proto__" is not allowed');
    expect(isTaken(odd, 1)).toBe(false);
  });

  it('accepts any finite number that a model can compute', () => {
    const numbers = [0.1 + 0.2, 1e21, 5e-324, -0, Number.MAX_SAFE_INTEGER, 1.7976931348623157e308];
    expect(effectsViolation([emit({ ...target, data: numbers })], cause)).toBeUndefined();
    expect(isTaken(emit({ ...target, data: numbers }), 1)).toBe(true);
  });

  it('reserves space for the envelope of a notification', () => {
    const notification = (bytes: number) =>
      effectsViolation([notify('T', 'x'.repeat(bytes))], cause);
    expect(notification(245_000)).toBeUndefined();
    expect(notification(246_000)).toBe('T would take 246038 bytes; the limit is 245760');
  });

  it('accepts effects of up to 1 MB in total', () => {
    const emitted = filled(200_000);
    expect(effectsViolation(Array(5).fill(emitted), cause)).toBeUndefined();
    expect(effectsViolation(Array(6).fill(emitted), cause)).toMatch(
      /^the events and notifications to send would take 12\d{5} bytes; the limit is 1048576$/,
    );
    const notifications = Array(5).fill(notify('T', 'x'.repeat(220_000))) as Effect[];
    expect(effectsViolation(notifications, cause)).toContain('the limit is 1048576');
  });

  it('excludes timers from the limit of 1 MB', () => {
    const timers = Array(2_000).fill(startTimer('x'.repeat(200), '2026-01-01T00:00:00.000Z'));
    expect(effectsViolation(timers, cause)).toBeUndefined();
  });
});
