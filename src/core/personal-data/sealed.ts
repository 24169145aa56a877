import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import {
  decrypt,
  encrypt,
  encryptionOverheadBytes,
  isEncrypted,
  nonceBytes,
} from '../../common/authenticated-cipher.ts';
import type { InstanceKey } from '../event/event.ts';
import { isJsonObject, type Json } from '../json/json.ts';
import { parseJson } from '../json/parse-json.ts';

/** The 32-byte key that seals an instance's personal data, or `forgotten` if the key has been destroyed. */
export type DataKey = Uint8Array | 'forgotten';

/** The only member of a sealed value, which contains the ciphertext in Base64. */
const sealedMember = '$sealed';

/**
 * Encrypts a value with AES-256-GCM. The model and transaction ids are authenticated, so the ciphertext is valid only
 * in this instance. The nonce is derived from the value, so equal values have equal ciphertexts, and consecutive states
 * compress well together.
 *
 * Returns null if the key has been destroyed or the value is null.
 */
export const seal = (value: Json, key: DataKey, instance: InstanceKey): Json =>
  sealJson(JSON.stringify(value), key, instance);

/** Encrypts the JSON of a value like `seal`. If the same value is formatted differently, its ciphertext differs. */
export const sealJson = (text: string, key: DataKey, instance: InstanceKey): Json =>
  key === 'forgotten' || text === 'null' ? null : { [sealedMember]: sealText(text, key, instance) };

/**
 * Returns a function that seals values like `seal` but encrypts equal values only once. A commit's states can contain
 * many values and mostly contain the same values.
 */
export function sealer(key: DataKey, instance: InstanceKey): (value: Json) => Json {
  const sealedTexts = new Map<string, string>();
  return (value) => {
    if (key === 'forgotten' || value === null) return null;
    const text = JSON.stringify(value);
    const sealed = sealedTexts.get(text) ?? sealText(text, key, instance);
    sealedTexts.set(text, sealed);
    return { [sealedMember]: sealed };
  };
}

function sealText(text: string, key: Uint8Array, instance: InstanceKey): string {
  const secret = secretOf(key);
  const nonce = createHmac('sha256', secret).update(text).digest().subarray(0, nonceBytes);
  return encrypt(text, secret, nonce, nameOf(instance)).toString('base64');
}

/**
 * The `KeyObject` of each data key in use. `node:crypto` would otherwise create a `KeyObject` for each value, which
 * takes longer than encrypting a short value.
 */
const secrets = new WeakMap<Uint8Array, KeyObject>();

function secretOf(key: Uint8Array): KeyObject {
  const existing = secrets.get(key);
  if (existing) return existing;
  const secret = createSecretKey(key);
  secrets.set(key, secret);
  return secret;
}

/** Returns a placeholder with the same size in JSON as the sealed value. No key is needed. */
export function sealedPlaceholder(value: Json): Json {
  if (value === null) return null;
  const bytes = Buffer.byteLength(JSON.stringify(value)) + encryptionOverheadBytes;
  return { [sealedMember]: 'A'.repeat(4 * Math.ceil(bytes / 3)) };
}

/** Returns true if a value has the format of a sealed value. */
export function isSealedValue(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  const { [sealedMember]: sealed, ...rest } = value;
  return (
    typeof sealed === 'string' &&
    Object.keys(rest).length === 0 &&
    isEncrypted(Buffer.from(sealed, 'base64'))
  );
}

/** Returns true if a JSON text may contain sealed values. */
export const mayContainSealed = (json: string) => json.includes(`"${sealedMember}"`);

/**
 * Decrypts every sealed value within a value. If the key has been destroyed, null replaces each sealed value. A value
 * that looks sealed but was not sealed with this key remains unchanged.
 *
 * @param key the instance's data key; undefined if the instance never had a key.
 */
export const unseal = (value: Json, key: DataKey | undefined, instance: InstanceKey): Json =>
  unsealer(key, instance)(value);

/** Returns a function that unseals values like `unseal` but decrypts equal values only once: see `sealer`. */
export function unsealer(key: DataKey | undefined, instance: InstanceKey): (value: Json) => Json {
  if (key === undefined) return (value) => value;
  const opened = new Map<string, Json | undefined>();
  const openOnce = (sealed: string, by: Uint8Array): Json | undefined => {
    if (!opened.has(sealed)) {
      const text = decrypt(Buffer.from(sealed, 'base64'), secretOf(by), nameOf(instance));
      // Unseal again: if sensitive paths overlap, a sealed value can contain sealed values.
      opened.set(sealed, text && open(parseJson(text.toString())));
    }
    return opened.get(sealed);
  };
  const open = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(open);
    if (!isJsonObject(value)) return value;
    const { [sealedMember]: sealed, ...rest } = value;
    if (typeof sealed === 'string' && Object.keys(rest).length === 0)
      return key === 'forgotten' ? null : (openOnce(sealed, key) ?? value);
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, open(each)]));
  };
  return open;
}

const nameOf = ({ model, transaction }: InstanceKey) => Buffer.from(`${model}#${transaction}`);
