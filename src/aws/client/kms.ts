import { jsonService } from './transport/json-service.ts';
import type { ServiceOptions } from './transport/service-client.ts';

/**
 * An encryption context. Decryption requires the same context. CloudTrail logs the context, so it must not contain
 * secrets.
 */
export type EncryptionContext = Readonly<Record<string, string>>;

/** The KMS operations that Milepost uses. */
export interface Kms {
  /**
   * Generates a 256-bit data key, in plain text and encrypted.
   *
   * @param keyId the key that encrypts the data key.
   * @see https://docs.aws.amazon.com/kms/latest/APIReference/API_GenerateDataKey.html
   */
  generateDataKey(
    keyId: string,
    context: EncryptionContext,
  ): Promise<{ readonly plain: Uint8Array; readonly encrypted: Uint8Array }>;
  /**
   * Decrypts a data key.
   *
   * @see https://docs.aws.amazon.com/kms/latest/APIReference/API_Decrypt.html
   */
  decrypt(keyId: string, encrypted: Uint8Array, context: EncryptionContext): Promise<Uint8Array>;
}

export function kms(options: ServiceOptions): Kms {
  const send = jsonService(options, { service: 'kms', version: '1.1', target: 'TrentService' });
  const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));
  return {
    async generateDataKey(keyId, context) {
      const input = { KeyId: keyId, KeySpec: 'AES_256', EncryptionContext: context };
      const { Plaintext, CiphertextBlob } = await send<{
        Plaintext: string;
        CiphertextBlob: string;
      }>('GenerateDataKey', input);
      return { plain: bytes(Plaintext), encrypted: bytes(CiphertextBlob) };
    },
    async decrypt(keyId, encrypted, context) {
      const { Plaintext } = await send<{ Plaintext: string }>('Decrypt', {
        KeyId: keyId,
        CiphertextBlob: Buffer.from(encrypted).toString('base64'),
        EncryptionContext: context,
      });
      return bytes(Plaintext);
    },
  };
}
