import { hash } from 'node:crypto';

/**
 * Which events an instance has had, as a set of fingerprints small enough to
 * ride on each commit: at most 1 KB at 1,000 events. `mayHold` never misses an
 * event that is in it; about one time in seventy at its fullest it says yes to
 * one that is not, so a yes is looked up in the history.
 *
 * The first 1,000 events are kept in `current`; then it becomes `previous` and
 * a new one starts, so that the last 1,000 are always there.
 */
export interface Seen {
  /** How many events the instance has had. */
  readonly total: number;
  readonly current: readonly number[];
  readonly previous: readonly number[];
}

/** How many of an instance's latest events are recognised, at the least. */
export const seenWindow = 1000;

/** What an instance has seen before its first event. */
export const nothingSeen: Seen = { total: 0, current: [], previous: [] };

/** The fingerprint of an event: 32 bits that follow from what names it. */
export function fingerprintOf(event: { readonly source: string; readonly id: string }): number {
  return Number.parseInt(hash('sha1', JSON.stringify([event.source, event.id])).slice(0, 8), 16);
}

/** False when the instance surely has not had this event, as far back as it remembers. */
export function mayHold(seen: Seen, fingerprint: number): boolean {
  return holds(seen.current, fingerprint) || holds(seen.previous, fingerprint);
}

/** True when it remembers every event that the instance ever had. */
export function remembersAll(seen: Seen): boolean {
  return seen.total <= seen.current.length + seen.previous.length;
}

/** The set after some more events. */
export function withEvents(seen: Seen, fingerprints: readonly number[]): Seen {
  if (fingerprints.length === 0) return seen;
  const full = seen.current.length === seenWindow;
  const before = full ? [] : seen.current;
  const fitting = fingerprints.slice(0, seenWindow - before.length);
  const size = before.length + fitting.length;
  // Fewer bits are kept of each fingerprint the more there are; what is stored can lose bits
  // later without knowing the events.
  const lost = bitsAt(before.length) - bitsAt(size);
  const added = fitting.map((fingerprint) => prefix(fingerprint, size));
  const after: Seen = {
    total: seen.total + fitting.length,
    current: [...before.map((f) => f >>> lost), ...added].toSorted((a, b) => a - b),
    previous: full ? seen.current : seen.previous,
  };
  return withEvents(after, fingerprints.slice(fitting.length));
}

/** How many bits of each fingerprint are kept in a set of so many. */
function bitsAt(size: number): number {
  if (size <= 64) return 32;
  if (size <= 250) return 24;
  return size <= 500 ? 20 : 16;
}

const prefix = (fingerprint: number, size: number) => fingerprint >>> (32 - bitsAt(size));

function holds(sorted: readonly number[], fingerprint: number): boolean {
  const wanted = prefix(fingerprint, sorted.length);
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === wanted;
}
