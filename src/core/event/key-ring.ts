import { createSecretKey } from 'node:crypto';
import * as v from 'valibot';
import { MilepostError } from '../errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { type MacKey, maximumKeyIdLength } from './event-mac.ts';

/** A key, and when it takes over from the one before it. */
interface RingKey extends MacKey {
  /** Seconds since 1970. */
  readonly from: number;
}

/** The keys of a tracker, by id, in the order in which they take over. All of them verify; one signs. */
export type KeyRing = ReadonlyMap<string, RingKey>;

/**
 * How long a key waits in the ring before it signs, in seconds: much longer than any function keeps a
 * ring without reading it again, so that all of them can verify what the key signs.
 */
export const leadTime = 60 * 60;
/** How much of that has to be left when a ring becomes the current one, in seconds. */
const minimumLeadTime = leadTime / 2;

/**
 * How long a key stays after the next one took over, in seconds: longer than a record that it signed can
 * be kept. The stream keeps one for up to 365 days, then the failure bucket for 365, and the dead
 * letters for 30.
 */
const retentionSeconds = 800 * 24 * 60 * 60;

const keyId = v.pipe(
  v.string(),
  v.regex(new RegExp(`^(?:0|[1-9]\\d{0,${maximumKeyIdLength - 1}})$`)),
);
const ring = v.pipe(
  v.custom<JsonObject>((value) => isJsonObject(value as Json)),
  v.record(keyId, v.pipe(v.string(), v.minLength(32))),
  v.check((keys) => Object.keys(keys).length > 0),
);

/**
 * Reads a key ring: a JSON object of secrets, each under the time from which it signs, in seconds since
 * 1970. That time is the key's id. The first key of a tracker has the id `0`.
 *
 * @throws MilepostError `bad-secret` for anything else. The message quotes nothing of it.
 */
export function readKeyRing(text: string): KeyRing {
  const keys = Object.entries(secretsIn(text)).map(
    ([id, secret]): RingKey => ({
      id,
      from: Number(id),
      secret: createSecretKey(secret, 'utf8'),
    }),
  );
  return new Map(keys.toSorted((a, b) => a.from - b.from).map((key) => [key.id, key]));
}

/** @param now milliseconds since 1970. */
export function signingKey(keys: KeyRing, now: number): MacKey {
  const all = [...keys.values()];
  return all.findLast(({ from }) => from * 1000 <= now) ?? all[0]!;
}

/**
 * The ring with one key more, which signs an hour from now on, and without those that nothing can still
 * be signed with.
 *
 * @param now milliseconds since 1970.
 * @throws MilepostError `bad-secret` where there is no ring.
 */
export function withNewKey(text: string, now: number, secret: string): string {
  const secrets = secretsIn(text);
  const seconds = Math.floor(now / 1000);
  const ids = Object.keys(secrets).toSorted((a, b) => Number(a) - Number(b));
  const kept = ids.filter((_, index) => {
    const next = ids[index + 1];
    return next === undefined || Number(next) + retentionSeconds > seconds;
  });
  const id = Math.max(seconds + leadTime, Number(ids.at(-1)) + 1);
  return JSON.stringify(
    Object.fromEntries([...kept.map((each) => [each, secrets[each]]), [id, secret]]),
  );
}

/** Whether every function will know the newest key of a ring before any signs with it. */
export function hasLeadTime(text: string, now: number): boolean {
  const newest = Math.max(...Object.keys(secretsIn(text)).map(Number));
  return newest - now / 1000 >= minimumLeadTime;
}

function secretsIn(text: string): Record<string, string> {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ring), text);
  if (parsed.success) return parsed.output;
  throw new MilepostError(
    'bad-secret',
    'the signing keys must be a JSON object of secrets of at least 32 characters, each under the second ' +
      'since 1970 from which it signs: {"0":"..."}; the value of their secret is something else',
  );
}
