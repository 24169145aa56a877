import { isAscii } from 'node:buffer';
import { messageOf } from '../../common/message-of.ts';
import { parseJson } from '../../core/json/parse-json.ts';
import { Problem } from '../http/problem.ts';

/** The headers of a request, with names in lower case. */
export type RequestHeaders = Readonly<Record<string, string>>;

const prefix = 'ce-';

/**
 * Returns true if a request contains an event in CloudEvents' binary content mode: the attributes are headers, and the
 * body is the event's data. Many CloudEvents SDKs send events in this mode by default.
 *
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md#31-binary-content-mode
 */
export function isBinaryMode(headers: RequestHeaders): boolean {
  return (
    !/^\s*application\/cloudevents/i.test(headers['content-type'] ?? '') &&
    ['specversion', 'id', 'type'].some((name) => headers[prefix + name] !== undefined)
  );
}

/**
 * Converts a request in binary content mode to the event's JSON text. The body is parsed as JSON regardless of the
 * content type.
 *
 * @throws Problem 400 if there is a header `ce-data`, a header has an invalid value, or the body is not JSON.
 */
export function textOfBinaryEvent(headers: RequestHeaders, body: string): string {
  const members = Object.entries(headers).flatMap(([header, value]) =>
    header.startsWith(prefix) && header !== 'ce-datacontenttype'
      ? [member(header.slice(prefix.length), attributeValue(header, value))]
      : [],
  );
  if (body !== '') {
    // Ignore other content types: if a program sets none, some HTTP clients send a default, such as
    // `application/x-www-form-urlencoded`.
    const type = headers['content-type'];
    if (type !== undefined && jsonType.test(type)) members.push(member('datacontenttype', type));
    members.push(`"data":${jsonOf(body)}`);
  }
  return `{${members.join(',')}}`;
}

const member = (name: string, value: string) => `${JSON.stringify(name)}:${JSON.stringify(value)}`;

/** Decodes an attribute's value, which can be quoted and is percent-encoded. */
function attributeValue(header: string, value: string): string {
  if (header === 'ce-data')
    throw new Problem(
      400,
      "the header `ce-data` is not allowed; send the event's data as the body",
    );
  const quoted = /^"((?:[^"\\]|\\.)*)"$/.exec(value)?.[1];
  const text = quoted?.replaceAll(/\\(.)/g, '$1') ?? value;
  try {
    if (/^[ -~]*$/.test(text)) return decodeURIComponent(text);
  } catch {
    // The value contains an invalid percent-encoding.
  }
  throw new Problem(400, notEncodedMessage(header, value));
}

const notEncodedMessage = (header: string, value: string) =>
  `the header \`${header}\` must be percent-encoded UTF-8; got ${JSON.stringify(value)}`;

/** Returns a message about the first attribute that is not in ASCII; undefined if there is none. */
export function unencodedAttribute(
  headers: Readonly<Record<string, string | undefined>>,
): string | undefined {
  for (const [name, value = ''] of Object.entries(headers))
    if (name.startsWith(prefix) && !isAscii(Buffer.from(value)))
      return notEncodedMessage(name, value);
  return undefined;
}

const jsonType = /^\s*(?:application|text)\/(?:json|[^;]+\+json)\s*(?:;|$)/i;

/** Returns the body unchanged; throws Problem 400 if it is not JSON. */
function jsonOf(body: string): string {
  try {
    parseJson(body);
    return body;
  } catch (error) {
    throw new Problem(
      400,
      `the body must be JSON, because it is the event's data; ${messageOf(error)}`,
    );
  }
}
