/** A response's status line and headers. */
export interface ResponseHead {
  readonly status: number;
  /** The headers, by lowercase name. The values of a repeated header are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The length of the body in bytes, or how its end is found. */
  readonly body: number | 'chunked' | 'until the end';
  /** True if the server keeps the connection open after the response. */
  readonly keepsOpen: boolean;
  /** The length of the status line and the headers, in bytes. */
  readonly bytes: number;
}

/** The maximum length of the status line and the headers, in bytes. */
const maximumBytes = 64 * 1024;

/**
 * Reads the status line and the headers at the start of the given bytes. Returns undefined if they are incomplete.
 *
 * @throws Error if the bytes are not an HTTP response.
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-6.3 for the length of the body
 */
export function readResponseHead(bytes: Buffer): ResponseHead | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if ((end < 0 ? bytes.length : end) > maximumBytes)
    throw invalidResponse(`its headers exceed ${maximumBytes} bytes`);
  if (end < 0) return undefined;
  const [statusLine, ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const [, minorVersion, digits] = /^HTTP\/1\.(\d) (\d{3})(?: |$)/.exec(statusLine!) ?? [];
  if (digits === undefined) throw invalidResponse('it does not start with an HTTP/1 status line');
  const status = Number(digits);
  const headers = readHeaders(lines);
  const body = bodyOf(status, headers);
  const connection = headers.connection?.toLowerCase() ?? '';
  const keepsOpen =
    body !== 'until the end' && minorVersion !== '0' && !/\bclose\b/.test(connection);
  return { status, headers, body, keepsOpen, bytes: end + 4 };
}

export const invalidResponse = (flaw: string) =>
  new Error(`the server sent an invalid HTTP response: ${flaw}`);

function readHeaders(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (colon < 1 || /[^!-~]/.test(name)) throw invalidResponse('a header has no valid name');
    const value = line.slice(colon + 1).trim();
    const before = Object.hasOwn(headers, name) ? headers[name] : undefined;
    headers[name] = before === undefined ? value : `${before}, ${value}`;
  }
  return headers;
}

function bodyOf(status: number, headers: Readonly<Record<string, string>>): ResponseHead['body'] {
  if (status < 200 || status === 204 || status === 304) return 0;
  const { 'transfer-encoding': encoding, 'content-length': length } = headers;
  if (encoding !== undefined)
    return /(^|,\s*)chunked$/i.test(encoding) ? 'chunked' : 'until the end';
  if (length === undefined) return 'until the end';
  if (!/^\d{1,15}$/.test(length)) throw invalidResponse(`its content-length is ${length}`);
  return Number(length);
}
