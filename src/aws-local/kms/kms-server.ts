import { hash, randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { decrypt, encrypt, nonceBytes } from '../../common/authenticated-cipher.ts';
import { loadOnce } from '../../common/load-once.ts';
import { readOrCreateSecret, type SecretFormat } from '../secret-file.ts';
import { createJsonServer, unknownOperation } from '../server/json-server.ts';

/** The format of the stored secret, from which the key is derived: 256 random bits in Base64. */
const keyFormat: SecretFormat = {
  generate: () => randomBytes(32).toString('base64'),
  isValid: (text) => text.length >= 44,
};

interface KmsRequest {
  readonly KeyId?: string;
  readonly CiphertextBlob?: string;
  readonly EncryptionContext?: Readonly<Record<string, string>>;
}

/**
 * Serves KMS's GenerateDataKey and Decrypt over HTTP (AWS JSON 1.1). Every KMS key id refers to the same key, which is
 * derived from a secret in a file that only its owner can read. The caller starts and closes the server.
 */
export function createKmsServer(path: string): Server {
  // Concurrent requests receive the same key, even if the file does not exist yet.
  const readKey = loadOnce(() => readOrCreateKey(path));
  return createJsonServer(async (operation, input) => {
    const { KeyId, CiphertextBlob = '', EncryptionContext = {} } = JSON.parse(input) as KmsRequest;
    const key = await readKey();
    const context = bytesOf(EncryptionContext);
    const response = (plain: Buffer, more = {}) => ({
      status: 200,
      body: { KeyId, Plaintext: plain.toString('base64'), ...more },
    });
    switch (operation) {
      case 'TrentService.GenerateDataKey': {
        const plain = randomBytes(32);
        const encrypted = encrypt(plain, key, randomBytes(nonceBytes), context);
        return response(plain, { CiphertextBlob: encrypted.toString('base64') });
      }
      case 'TrentService.Decrypt': {
        const plain = decrypt(Buffer.from(CiphertextBlob, 'base64'), key, context);
        return plain ? response(plain) : invalidCiphertext;
      }
      default:
        return unknownOperation(operation);
    }
  }, 'KMSInternalException');
}

const readOrCreateKey = async (path: string) =>
  hash('sha256', await readOrCreateSecret(path, keyFormat), 'buffer');

const invalidCiphertext = {
  status: 400,
  body: {
    __type: 'InvalidCiphertextException',
    message:
      'the ciphertext is invalid: this endpoint did not create it, or the encryption context is different',
  },
};

/** Encodes an encryption context so that the order of its members does not matter. */
const bytesOf = (context: Readonly<Record<string, string>>) =>
  Buffer.from(JSON.stringify(Object.entries(context).toSorted(([a], [b]) => (a < b ? -1 : 1))));
