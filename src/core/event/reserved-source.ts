import { hash } from 'node:crypto';
import { hasAtMostCharacters } from '../../common/has-at-most-characters.ts';
import type { InstanceKey } from './event.ts';

/** The start of the source of every event that Milepost itself puts on the stream. */
const prefix = 'milepost:';

/** The source of events that timers become. */
export const clockSource = `${prefix}clock`;
/** The source of events that the HTTP API puts for operators: redrives and rebuilds. */
export const apiSource = `${prefix}api`;

/** The start of a digest that stands for a transaction id. */
const digestPrefix = 'sha256:';

/**
 * An instance as the source of what it sends: by name, or by a digest where the name is too long. No two
 * instances share one: a name that looks like a digest is replaced by its own.
 */
export function instanceSource({ model, transaction }: InstanceKey): string {
  const source = `${prefix}${model}/${transaction}`;
  if (hasAtMostCharacters(source, 256) && !transaction.startsWith(digestPrefix)) return source;
  return `${prefix}${model}/${digestPrefix}${hash('sha256', transaction)}`;
}

/**
 * Whether a source is reserved for Milepost's own events. A source is a URI, and case does not
 * distinguish the schemes of URIs (RFC 3986, section 3.1): `Milepost:clock` is reserved too.
 */
export const isReservedSource = (source: string): boolean => /^milepost:/i.test(source);
