import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';

const cipher = 'aes-256-gcm';
/** The length of a nonce, in bytes. */
export const nonceBytes = 12;
const tagBytes = 16;
/** The number of bytes that encryption adds to the plaintext: the nonce and the tag. */
export const encryptionOverheadBytes = nonceBytes + tagBytes;

/**
 * Encrypts with AES-256-GCM. Returns the nonce, the ciphertext, and the tag. Decryption requires the same key and
 * context.
 *
 * @param key a key of 32 bytes. For repeated calls, use a `KeyObject`: `node:crypto` converts bytes on each call.
 */
export function encrypt(
  plain: string | Uint8Array,
  key: Uint8Array | KeyObject,
  nonce: Uint8Array,
  context: Uint8Array,
): Buffer {
  const sealing = createCipheriv(cipher, key, nonce).setAAD(context);
  const encrypted =
    typeof plain === 'string' ? sealing.update(plain, 'utf8') : sealing.update(plain);
  return Buffer.concat([nonce, encrypted, sealing.final(), sealing.getAuthTag()]);
}

/** Returns true if the bytes are long enough to contain a nonce and a tag. */
export const isEncrypted = ({ byteLength }: Uint8Array) => byteLength >= nonceBytes + tagBytes;

/** Decrypts the result of `encrypt`. Returns undefined if the key or the context differs or the bytes were modified. */
export function decrypt(
  bytes: Uint8Array,
  key: Uint8Array | KeyObject,
  context: Uint8Array,
): Buffer | undefined {
  if (!isEncrypted(bytes)) return undefined;
  try {
    const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes))
      .setAAD(context)
      .setAuthTag(bytes.subarray(-tagBytes));
    return Buffer.concat([opening.update(bytes.subarray(nonceBytes, -tagBytes)), opening.final()]);
  } catch {
    return undefined;
  }
}
