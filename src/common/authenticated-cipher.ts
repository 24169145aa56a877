import { createCipheriv, createDecipheriv } from 'node:crypto';

const cipher = 'aes-256-gcm';
/** How long a nonce is, in bytes. */
export const nonceBytes = 12;
const tagBytes = 16;
/** How many bytes longer than a plain text its encryption is. */
export const encryptionOverheadBytes = nonceBytes + tagBytes;

/** AES-256-GCM: the nonce, what was encrypted, and the tag by which a change shows, bound to some context. */
export function encrypt(
  plain: string | Uint8Array,
  key: Uint8Array,
  nonce: Uint8Array,
  context: Uint8Array,
): Buffer {
  const sealing = createCipheriv(cipher, key, nonce).setAAD(context);
  const encrypted =
    typeof plain === 'string' ? sealing.update(plain, 'utf8') : sealing.update(plain);
  return Buffer.concat([nonce, encrypted, sealing.final(), sealing.getAuthTag()]);
}

/** Whether there are enough bytes for a nonce and a tag. */
export const isEncrypted = ({ byteLength }: Uint8Array) => byteLength >= nonceBytes + tagBytes;

/** What was encrypted with this key and context; undefined for anything else. */
export function decrypt(
  bytes: Uint8Array,
  key: Uint8Array,
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
