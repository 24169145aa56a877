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

/** What an instance's personal data is sealed with: 32 bytes; `forgotten` once it is destroyed. */
export type DataKey = Uint8Array | 'forgotten';

/** The member that tells a sealed value. */
const sealedMember = '$sealed';

/**
 * A value that only its instance's key opens: AES-256-GCM, bound to the instance's name. The nonce is made
 * from the value itself, so that the same value is sealed alike: states that follow each other stay nearly
 * the same, and small when they are compressed together.
 *
 * Once the key is destroyed there is nothing to keep of it: null.
 */
export function seal(value: Json, key: DataKey, instance: InstanceKey): Json {
  if (key === 'forgotten' || value === null) return null;
  const text = JSON.stringify(value);
  const nonce = createHmac('sha256', key).update(text).digest().subarray(0, nonceBytes);
  return { [sealedMember]: encrypt(text, key, nonce, nameOf(instance)).toString('base64') };
}

/** A value that is written as the same number of bytes of JSON as the sealed one, without any key. */
export function sealedPlaceholder(value: Json): Json {
  if (value === null) return null;
  const bytes = Buffer.byteLength(JSON.stringify(value)) + encryptionOverheadBytes;
  return { [sealedMember]: 'A'.repeat(4 * Math.ceil(bytes / 3)) };
}

/** Whether a value has the form of a sealed one. */
export function isSealedValue(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  const { [sealedMember]: sealed, ...rest } = value;
  return (
    typeof sealed === 'string' &&
    Object.keys(rest).length === 0 &&
    isEncrypted(Buffer.from(sealed, 'base64'))
  );
}

/** Whether anything may be sealed in a JSON text. */
export const mayContainSealed = (json: string) => json.includes(`"${sealedMember}"`);

/**
 * A value with everything opened that is sealed in it; null where the key is destroyed. What looks like
 * it and was not sealed with this key stays as it is.
 *
 * @param key undefined: the instance never had one.
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
  // Where paths overlap, a sealed value has sealed ones in it.
  return text && unseal(parseJson(text.toString()), key, instance);
}

const nameOf = ({ model, transaction }: InstanceKey) => Buffer.from(`${model}#${transaction}`);
