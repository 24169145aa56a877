import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ResponseReader } from '../../../../src/aws/client/transport/response-reader.ts';
import { messageOf } from '../../../../src/common/message-of.ts';

const response = (...lines: string[]) => Buffer.from(lines.join('\r\n'));

/** Reads a response from the given pieces. */
function read(...pieces: readonly Buffer[]) {
  const reader = new ResponseReader();
  const answers = pieces.map((piece) => reader.read(piece)).filter((answer) => answer);
  return { answer: answers[0], ended: answers.length > 0 ? undefined : reader.end(), reader };
}

/** Splits bytes into pieces at the given offsets. */
function split(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...places.map((place) => place % bytes.length), bytes.length].toSorted(
    (a, b) => a - b,
  );
  return ends.map((end, n) => bytes.subarray(n === 0 ? 0 : ends[n - 1], end));
}

const ok = 'HTTP/1.1 200 OK';
const whole: Readonly<Record<string, Buffer>> = {
  'a length': response(ok, 'Content-Length: 3', '', 'é!'),
  'a length of zero': response(ok, 'content-length:0', '', ''),
  chunks: response(ok, 'Transfer-Encoding: chunked', '', '2', 'é', '1;a="b"', '!', '0', '', ''),
  trailers: response(ok, 'transfer-encoding: Chunked', '', '003', 'é!', '0', 'x-a: b', '', ''),
  'chunks despite a length': response(
    ok,
    'content-length: 9',
    'transfer-encoding: gzip, chunked',
    '',
    '0',
    '',
    '',
  ),
  'no body': response('HTTP/1.1 204 No Content', 'content-length: 3', '', ''),
};

describe('a response from a server', () => {
  it.each(Object.entries(whole))('with %s is read from pieces of any size', (_, bytes) => {
    const { answer } = read(bytes);
    expect(answer).toMatchObject({ body: expect.stringMatching(/^(é!)?$/) });
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 8 }), (places) => {
        const inPieces = read(...split(bytes, places));
        expect(inPieces.answer).toEqual(answer);
        expect(inPieces.reader.canReuse).toBe(true);
      }),
    );
  });

  it.each(Object.entries(whole))('with %s is incomplete without its last byte', (_, bytes) => {
    const { answer, ended, reader } = read(bytes.subarray(0, -1));
    expect([answer, ended, reader.canReuse]).toEqual([undefined, undefined, false]);
  });

  it('contains the headers by lowercase name, with repeated headers joined', () => {
    const headers = ['X-Amzn-ErrorType:  Slow ', 'a: 1', 'A: 2', 'constructor: é', 'b:'];
    const bytes = Buffer.from([ok, ...headers, 'content-length: 0', '', ''].join('\r\n'), 'latin1');
    expect(Object.entries(read(bytes).answer!.headers)).toEqual([
      ['x-amzn-errortype', 'Slow'],
      ['a', '1, 2'],
      ['constructor', 'é'],
      ['b', ''],
      ['content-length', '0'],
    ]);
  });

  it('can follow interim responses', () => {
    const interim = response('HTTP/1.1 100 Continue', '', 'HTTP/1.1 103 Hints', 'link: x', '', '');
    const { answer } = read(interim, whole['a length']!);
    expect(answer).toMatchObject({ status: 200, body: 'é!' });
  });

  it('that does not state its length ends when the connection ends', () => {
    for (const headers of [[], ['transfer-encoding: gzip']]) {
      const { ended, answer, reader } = read(response(ok, ...headers, '', 'é'), Buffer.from('!'));
      expect(answer).toBeUndefined();
      expect(ended).toMatchObject({ status: 200, body: 'é!' });
      expect(reader.canReuse).toBe(false);
    }
  });

  it('is complete without a body if its status excludes a body', () => {
    expect(read(response('HTTP/1.1 304 Not Modified', '', '')).answer).toMatchObject({ body: '' });
  });

  it('is the last on its connection if the server says so, or if other bytes follow', () => {
    const { 'a length': bytes } = whole;
    for (const last of [
      response(ok, 'connection: Close', 'content-length: 0', '', ''),
      response(ok, 'connection: x, close', 'content-length: 0', '', ''),
      response('HTTP/1.0 200 OK', 'content-length: 0', '', ''),
      Buffer.concat([bytes!, Buffer.from('H')]),
    ]) {
      const { answer, reader } = read(last);
      expect([answer!.status, reader.canReuse]).toEqual([200, false]);
    }
  });
});

describe('bytes that are not a response', () => {
  it.each<[string, Buffer]>([
    ['another protocol', response('SSH-2.0-OpenSSH', '', '')],
    ['HTTP/2', response('HTTP/2 200', '', '')],
    ['a status without three digits', response('HTTP/1.1 20 OK', '', '')],
    ['a header without a name', response(ok, ': x', '', '')],
    ['a header with a space in its name', response(ok, 'a b: x', '', '')],
    ['a folded header', response(ok, 'a: x', ' y', '', '')],
    ['two different lengths', response(ok, 'content-length: 1', 'content-length: 2', '', '')],
    ['a negative length', response(ok, 'content-length: -1', '', '')],
    ['a chunk without a size', response(ok, 'transfer-encoding: chunked', '', 'x', '')],
    [
      'a chunk longer than its size',
      response(ok, 'transfer-encoding: chunked', '', '1', 'abc', '0', '', ''),
    ],
    ['endless headers', Buffer.alloc(65 * 1024, 'a')],
  ])('are rejected: %s', (_, bytes) => {
    expect(() => read(bytes)).toThrow('the server sent an invalid HTTP response');
  });

  const outcomeOf = (pieces: readonly Buffer[]): string => {
    try {
      return String(read(...pieces).answer?.status ?? 'incomplete');
    } catch (error) {
      return messageOf(error);
    }
  };

  it('never cause any other error', () => {
    const pieces = fc.constantFrom(
      ...['HTTP/1.1 200 OK', '\r\n', '\n', ':', 'content-length', '1', '0', ' ', 'chunked', ';'],
      ...['transfer-encoding: chunked', 'connection: close', 'é', '\u0000', 'ffffffff'],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), fc.array(fc.nat()), (texts, places) => {
        const bytes = Buffer.from(`HTTP/1.1 200 OK\r\n${texts.join('')}`);
        expect(outcomeOf(split(bytes, places))).toMatch(
          /^(200|incomplete|.*invalid HTTP response.*)$/,
        );
      }),
    );
  });
});
