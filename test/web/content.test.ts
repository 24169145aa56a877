import { describe, expect, it } from 'vitest';
import { decodeContent, sizeText } from '../../web/pure/content.ts';

const decoded = (bytes: string | readonly number[]) =>
  decodeContent(Buffer.from(bytes as string).toString('base64'));

describe('decodeContent', () => {
  it('formats JSON on several lines', () => {
    expect(decoded('{"who":"Zoë"}')).toEqual({
      kind: 'JSON',
      text: '{\n  "who": "Zoë"\n}',
      size: 14,
    });
  });

  it('leaves numbers and repeated keys of JSON unchanged', () => {
    expect(decoded('{"n":12345678901234567890,"n":1.10}').text).toBe(
      '{\n  "n": 12345678901234567890,\n  "n": 1.10\n}',
    );
  });

  it('escapes characters that are invisible or change the text direction', () => {
    expect(decoded('{"a":"\u202eb"}').text).toBe('{\n  "a": "\\u202eb"\n}');
    expect(decoded('not JSON\u200b\n').text).toBe('not JSON\\u200b\n');
  });

  it('returns other text that is not JSON unchanged', () => {
    expect(decoded('not\tJSON\r\n')).toEqual({ kind: 'text', text: 'not\tJSON\r\n', size: 10 });
    expect(decoded('')).toEqual({ kind: 'text', text: '', size: 0 });
  });

  it('returns a hexadecimal dump of bytes that are not UTF-8 or contain control characters', () => {
    expect(decoded([0xff, 0x00, 0x41])).toEqual({ kind: 'bytes', text: '0000  ff 00 41', size: 3 });
    expect(decoded([0x41, 0x00]).kind).toBe('bytes');
    const row = Array.from({ length: 16 }, () => 'ff').join(' ');
    expect(decoded(Array.from({ length: 17 }, () => 255)).text).toBe(`0000  ${row}\n0010  ff`);
  });
});

describe('sizeText', () => {
  it.each([
    [1, '1 byte'],
    [1023, '1023 bytes'],
    [1024, '1.0 KB'],
    [1536, '1.5 KB'],
    [1024 ** 2, '1.0 MB'],
    [3 * 1024 ** 2, '3.0 MB'],
  ])('formats the size %i as %j', (size, text) => {
    expect(sizeText(size)).toBe(text);
  });
});
