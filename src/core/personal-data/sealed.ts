import { createHmac } from 'node:crypto';
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

/** The 32-byte key that seals an instance's personal data; `forgotten` once it is destroyed. */
export type DataKey = Uint8Array | 'forgotten';

/** The member that marks a sealed value. */
const sealedMember = '$sealed';

/**
 * Encrypts a value with AES-256-GCM, bound to the instance's name: only the instance's key decrypts it. The nonce
 * is derived from the value itself, so equal values have equal ciphertexts: consecutive states stay
 * similar, and compress well together.
 *
 * Returns null if the key is destroyed.
 */
export function seal(value: Json, key: DataKey, instance: InstanceKey): Json {
  if (key === 'forgotten' || value === null) return null;
  const text = JSON.stringify(value);
  const nonce = createHmac('sha256', key).update(text).digest().subarray(0, nonceBytes);
  return { [sealedMember]: encrypt(text, key, nonce, nameOf(instance)).toString('base64') };
}

/** A placeholder with the same size in JSON as the sealed value. Needs no key. */
export function sealedPlaceholder(value: Json): Json {
  if (value === null) return null;
  const bytes = Buffer.byteLength(JSON.stringify(value)) + encryptionOverheadBytes;
  return { [sealedMember]: 'A'.repeat(4 * Math.ceil(bytes / 3)) };
}

/** True if a value has the format of a sealed one. */
export function isSealedValue(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  const { [sealedMember]: sealed, ...rest } = value;
  return (
    typeof sealed === 'string' &&
    Object.keys(rest).length === 0 &&
    isEncrypted(Buffer.from(sealed, 'base64'))
  );
}

/** True if a JSON text may contain sealed values. */
export const mayContainSealed = (json: string) => json.includes(`"${sealedMember}"`);

/**
 * Decrypts every sealed value within a value; null in place of each if the key is destroyed. A value that only
 * looks sealed, and was not sealed with this key, is left unchanged.
 *
 * @param key undefined if the instance never had one.
 */
export function unseal(value: Json, key: DataKey | undefined, instance: InstanceKey): Json {
  if (key === undefined) return value;
  if (Array.isArray(value)) return value.map((each: Json) => unseal(each, key, instance));
  if (!isJsonObject(value)) return value;
  const { [sealedMember]: sealed, ...rest } = value;
  if (typeof sealed === 'string' && Object.keys(rest).length === 0)
    return key === 'forgotten' ? null : (unsealText(sealed, key, instance) ?? value);
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, unseal(each, key, instance)]),
  );
}

function unsealText(sealed: string, key: Uint8Array, instance: InstanceKey): Json | undefined {
  const text = decrypt(Buffer.from(sealed, 'base64'), key, nameOf(instance));
  // With overlapping paths, sealed values are nested.
  return text && unseal(parseJson(text.toString()), key, instance);
}

const nameOf = ({ model, transaction }: InstanceKey) => Buffer.from(`${model}#${transaction}`);
