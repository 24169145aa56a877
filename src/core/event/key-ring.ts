import { createSecretKey } from 'node:crypto';
import * as v from 'valibot';
import { MilepostError } from '../errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { type MacKey, maximumKeyIdLength } from './event-mac.ts';

/** A key, and when it starts to sign events. */
interface RingKey extends MacKey {
  /** When the key starts to sign, in seconds since 1970. */
  readonly from: number;
}

/**
 * A tracker's signing keys by id, in the order they become active. All keys verify events, but only the active key
 * signs them.
 */
export type KeyRing = ReadonlyMap<string, RingKey>;

/**
 * The delay between adding a key and signing with it, in seconds. Functions cache the ring for a much shorter time, so
 * every function knows the key before events are signed with it.
 */
export const leadTime = 60 * 60;

/** The minimum lead time, in seconds, that must remain when a new ring becomes current. */
const minimumLeadTime = leadTime / 2;

/**
 * How long a key stays in the ring after the next key becomes active, in seconds. This retention is long enough to
 * verify a record that spends 365 days in the stream (the maximum), 365 days in the failure bucket (30 days by
 * default), and 30 days as a dead letter.
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
 * Parses a key ring: a JSON object that maps the id of each key to its secret. The id is the key's start time, in
 * seconds since 1970. A tracker's first key has the id `0`.
 *
 * @throws MilepostError `bad-secret` if the string is not a key ring. The error message never quotes the string.
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

/**
 * Returns the key that signs events at the given time: the latest key that is already active, or the first key if no
 * key is active yet.
 *
 * @param now the current time, in milliseconds since 1970.
 */
export function signingKey(keys: KeyRing, now: number): MacKey {
  const all = [...keys.values()];
  return all.findLast(({ from }) => from * 1000 <= now) ?? all[0]!;
}

/**
 * Adds a key that becomes active in one hour (or one second after the newest key, if that is later), and removes the
 * keys whose retention has ended.
 *
 * @param now the current time, in milliseconds since 1970.
 * @throws MilepostError `bad-secret` if the string is not a key ring.
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

/** Returns true if every function will read the newest key of a ring before the key starts to sign. */
export function hasLeadTime(text: string, now: number): boolean {
  const newest = Math.max(...Object.keys(secretsIn(text)).map(Number));
  return newest - now / 1000 >= minimumLeadTime;
}

function secretsIn(text: string): Record<string, string> {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ring), text);
  if (parsed.success) return parsed.output;
  throw new MilepostError(
    'bad-secret',
    'the secret with the signing keys must be a JSON object such as {"0":"..."}: each name is the time, in ' +
      'seconds since 1970, at which a key starts to sign; each value is a secret of at least 32 characters',
  );
}
