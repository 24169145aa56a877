import { invalidResponse } from './response-head.ts';

interface ChunkedBody {
  readonly body: Buffer;
  /** The length of the encoded body, in bytes. */
  readonly bytes: number;
}

/**
 * Decodes a body with `Transfer-Encoding: chunked` at the start of the given bytes. Returns undefined if the body is
 * incomplete. Ignores chunk extensions and trailers.
 *
 * @throws Error if the bytes are not a chunked body.
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-7.1
 */
export function decodeChunks(bytes: Buffer): ChunkedBody | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = lineAt(bytes, at);
    if (!line) return undefined;
    const [, digits] = /^([\da-f]{1,8})[ \t]*(?:;|$)/i.exec(line.text) ?? [];
    if (digits === undefined) throw invalidResponse('a chunk of its body has no size');
    const size = Number.parseInt(digits, 16);
    if (size === 0) {
      const end = endOfTrailers(bytes, line.end);
      return end === undefined ? undefined : { body: Buffer.concat(chunks), bytes: end };
    }
    const end = line.end + size;
    if (bytes.length < end + 2) return undefined;
    if (bytes.toString('latin1', end, end + 2) !== '\r\n')
      throw invalidResponse('a chunk of its body is longer than its size');
    chunks.push(bytes.subarray(line.end, end));
    at = end + 2;
  }
}

function endOfTrailers(bytes: Buffer, start: number): number | undefined {
  for (let at = start; ; ) {
    const line = lineAt(bytes, at);
    if (!line || line.text === '') return line?.end;
    at = line.end;
  }
}

/** Returns the line at a position and the position after it; undefined if the line is incomplete. */
function lineAt(
  bytes: Buffer,
  at: number,
): { readonly text: string; readonly end: number } | undefined {
  const end = bytes.indexOf('\r\n', at);
  return end < 0 ? undefined : { text: bytes.toString('latin1', at, end), end: end + 2 };
}
