import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { checkEvent, decodeEvent, maximumEventBytes } from '../../../src/core/event/event.ts';
import type { Json } from '../../../src/core/json/json.ts';

const arrivedAt = '2026-01-01T00:00:00.000Z';
const least = { id: 'e1', type: 'account.created', modelid: 'activation', transactionid: 'ATV-1' };
const check = (value: Json) => checkEvent(value, Date.parse(arrivedAt));
const reasonOf = (value: Json) => {
  const checked = check(value);
  return checked.ok ? 'taken' : checked.reason;
};

describe('checkEvent', () => {
  it('adds the default values of missing attributes', () => {
    expect(check(least)).toEqual({
      ok: true,
      event: {
        id: 'e1',
        source: 'unknown',
        type: 'account.created',
        model: 'activation',
        transaction: 'ATV-1',
        time: arrivedAt,
        data: {},
      },
    });
  });

  it('reads every known attribute and ignores other attributes', () => {
    const full = {
      ...least,
      specversion: '1.0',
      source: 'tv',
      time: '2026-02-01T01:00:00+01:00',
      data: { a: [null, 'x'] },
      replyto: 'orders/a/b c',
      subject: 'anything',
    };
    expect(check(full)).toEqual({
      ok: true,
      event: {
        id: 'e1',
        source: 'tv',
        type: 'account.created',
        model: 'activation',
        transaction: 'ATV-1',
        time: '2026-02-01T00:00:00Z',
        data: { a: [null, 'x'] },
        replyTo: { model: 'orders', transaction: 'a/b c' },
      },
    });
  });

  it('treats a null attribute as a missing attribute', () => {
    const nulls = { ...least, source: null, time: null, specversion: null, replyto: null };
    expect(check(nulls)).toEqual(check(least));
  });

  it.each(['id', 'type', 'modelid', 'transactionid'])('requires %s', (name) => {
    const { [name]: _, ...others } = least as Record<string, string>;
    expect(reasonOf(others)).toBe(`${name} is missing`);
    expect(reasonOf({ ...least, [name]: 5 })).toContain(`${name} must be a string`);
    expect(reasonOf({ ...least, [name]: '' })).toContain(name);
  });

  it.each(['id', 'type', 'transactionid', 'source'])(
    'accepts at most 256 characters in %s, and no lone surrogates',
    (name) => {
      expect(reasonOf({ ...least, [name]: 'é'.repeat(256) })).toBe('taken');
      expect(reasonOf({ ...least, [name]: '😀'.repeat(256) })).toBe('taken');
      expect(reasonOf({ ...least, [name]: 'x'.repeat(257) })).toContain('1 to 256 characters');
      expect(reasonOf({ ...least, [name]: 'a\ud800' })).toContain('well-formed');
    },
  );

  it.each([
    ['a line feed', 'a\nb'],
    ['a null character', 'a\u0000'],
    ['the control character DEL', '\u007f'],
    ['the control character NEL', '\u0085'],
  ])('rejects a transaction id that contains %s', (_, id) => {
    expect(reasonOf({ ...least, transactionid: id })).toContain('control characters');
  });

  it.each(['Activation', 'a_b', 'a b', 'x'.repeat(65), ''])(
    'rejects the model id %j',
    (modelid) => {
      expect(reasonOf({ ...least, modelid })).toBe(
        `modelid must have 1 to 64 characters from a-z, 0-9, and -; got "${modelid}"`,
      );
    },
  );

  it.each([
    ['another specversion', { specversion: '0.3' }, 'specversion must be "1.0"; got "0.3"'],
    ['a time in words', { time: 'tomorrow' }, 'such as 2026-01-31T17:00:00Z; got "tomorrow"'],
    ['a number as its time', { time: 5 }, 'such as 2026-01-31T17:00:00Z; got 5'],
    ['a very long time', { time: '😀'.repeat(1_000) }, `got "${'😀'.repeat(39)}\ufffd…`],
    ['a replyto without a transaction id', { replyto: 'orders' }, 'replyto'],
    ['a replyto without a model id', { replyto: '/x' }, 'replyto'],
    ['a replyto with an empty transaction id', { replyto: 'orders/' }, 'replyto'],
    ['binary data', { data_base64: 'aGk=' }, 'data_base64'],
  ])('rejects an event with %s', (_, wrong, named) => {
    expect(reasonOf({ ...least, ...wrong })).toContain(named);
  });

  it('lists every violation and returns the readable attributes', () => {
    const checked = check({ id: 'e1', modelid: 'X', transactionid: 'T' });
    expect(checked).toEqual({
      ok: false,
      reason: 'type is missing; modelid must have 1 to 64 characters from a-z, 0-9, and -; got "X"',
      hints: { modelId: 'X', transactionId: 'T', eventId: 'e1' },
    });
  });

  it('returns the first 256 characters of each attribute, even if they are 512 UTF-16 code units', () => {
    const [longest, beyond] = ['😀'.repeat(256), `x${'😀'.repeat(256)}`];
    expect(check({ modelid: 'm', transactionid: longest, id: beyond })).toMatchObject({
      ok: false,
      hints: { transactionId: longest, eventId: `x${'😀'.repeat(255)}` },
    });
  });

  it.each([[null], ['x'], [7]])('rejects %j, which is not an object', (value) => {
    expect(reasonOf(value)).toBe('not a JSON object');
  });

  const wrapped = JSON.stringify(least);
  it.each<[string, Json, string]>([
    ['an array', [least], 'not a JSON object; send each event separately'],
    [
      'a string',
      wrapped,
      'not a JSON object; the string contains an event: encode it as JSON only once',
    ],
    [
      'the payload of Kafka Connect',
      { schema: {}, payload: least },
      'not an event, but "payload" contains one',
    ],
    [
      'the detail of EventBridge',
      { id: 'x', detail: least },
      'not an event, but "detail" contains one',
    ],
    [
      'the message of SNS',
      { Type: 'Notification', Message: wrapped },
      'not an event, but "Message" contains one',
    ],
    ['the log line of Fluent Bit', { log: wrapped }, 'not an event, but "log" contains one'],
    [
      'a message of SNS in SQS',
      { body: JSON.stringify({ Message: wrapped }) },
      'not an event, but "body.Message" contains one: send only this event',
    ],
  ])('says where a rejected value contains an event: %s', (_, value, advice) => {
    expect(reasonOf(value)).toContain(advice);
  });

  it('lists the missing attributes of a value whose members are not whole events', () => {
    const { modelid, transactionid, ...others } = least;
    expect(reasonOf({ ...others, extensions: { modelid, transactionid } })).toBe(
      'modelid is missing; transactionid is missing',
    );
  });

  it('does not search an event with a wrong attribute for another event', () => {
    expect(reasonOf({ ...least, id: 7, data: least })).toBe(
      'id must be a string of 1 to 256 characters',
    );
  });

  it.each([
    ['modelid', 'modelId'],
    ['modelid', 'model_id'],
    ['modelid', 'ce-modelid'],
    ['modelid', 'model'],
    ['transactionid', 'TransactionID'],
    ['id', 'ID'],
  ])('says which member to rename if %s is missing: %s', (name, misspelled) => {
    const { [name]: value = '', ...others } = least as Record<string, string>;
    expect(reasonOf({ ...others, [misspelled]: value })).toBe(
      `${name} is missing: rename "${misspelled}"`,
    );
  });
});

describe('decodeEvent', () => {
  const reason = (bytes: Uint8Array) => {
    const checked = decodeEvent(bytes, Date.parse(arrivedAt));
    return checked.ok ? 'taken' : checked.reason;
  };
  const bytes = (text: string) => new TextEncoder().encode(text);

  it('decodes an event', () => {
    expect(decodeEvent(bytes(JSON.stringify(least)), Date.parse(arrivedAt))).toEqual(check(least));
  });

  it('returns the reason why bytes are not an event', () => {
    expect(reason(bytes('hello'))).toContain('not JSON');
    expect(reason(new Uint8Array())).toContain('not JSON');
    expect(reason(Uint8Array.of(0x22, 0xc3, 0x28, 0x22))).toBe('not UTF-8');
    expect(reason(bytes('{"n":12345678901234567890}'))).toContain('has no exact representation');
  });

  it.each([
    ['gzip', gzipSync('{}')],
    ['zlib', deflateSync('{}')],
    ['zstd', zstdCompressSync('{}')],
  ])('recognizes a record that is compressed with %s', (format, compressed) => {
    expect(reason(compressed)).toBe(`not UTF-8, but ${format}: turn off compression`);
  });

  it('recognizes a record with several events', () => {
    const line = `${JSON.stringify(least)}\n`;
    expect(reason(bytes(line))).toBe('taken');
    expect(reason(bytes(line + line))).toMatch(
      /^not JSON: .*; put each event in a separate record$/s,
    );
  });

  it.each([0, 2])('recognizes an event in Base64, indented by %i spaces', (indent) => {
    const encoded = Buffer.from(JSON.stringify(least, null, indent)).toString('base64');
    expect(reason(bytes(encoded))).toMatch(
      /^not JSON: .*; the text is Base64: encode the event only once$/,
    );
  });

  it.each([
    ['an inexact number', '12345678901234567890'],
    ['a forbidden key', '{"__proto__":{"id":"e2"}}'],
    ['deep nesting', '['.repeat(101) + ']'.repeat(101)],
  ])('returns the readable attributes of an event with %s', (_, data) => {
    const text = `{"data":${data},"id":"e1","type":"t","modelid":"m","transactionid":"T"}`;
    expect(decodeEvent(bytes(text), Date.parse(arrivedAt))).toMatchObject({
      ok: false,
      hints: { modelId: 'm', transactionId: 'T', eventId: 'e1' },
    });
  });

  it('accepts at most 256 KB', () => {
    const padded = (size: number) => {
      const text = JSON.stringify({ ...least, data: '' });
      return bytes(text.replace('""}', `"${'x'.repeat(size - text.length)}"}`));
    };
    expect(reason(padded(maximumEventBytes))).toBe('taken');
    expect(reason(padded(maximumEventBytes + 1))).toContain('too large');
  });
});
