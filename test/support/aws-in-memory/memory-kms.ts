import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { EncryptionContext, Kms } from '../../../src/aws/client/kms.ts';
import { ServiceError } from '../../../src/aws/client/transport/service-error.ts';

interface Encryption {
  readonly keyId: string;
  readonly plain: Uint8Array;
  readonly context: EncryptionContext;
}

/** An in-memory KMS. The encrypted form of a data key is a random reference to the key. */
export class MemoryKms implements Kms {
  /** A hook that runs before each request. If it throws, the request fails. */
  interfere: () => void = () => {};
  readonly #encryptions = new Map<string, Encryption>();

  async generateDataKey(keyId: string, context: EncryptionContext) {
    await Promise.resolve();
    this.interfere();
    const [plain, encrypted] = [randomBytes(32), randomBytes(32)];
    this.#encryptions.set(encrypted.toString('hex'), { keyId, plain, context });
    return { plain, encrypted };
  }

  async decrypt(keyId: string, encrypted: Uint8Array, context: EncryptionContext) {
    await Promise.resolve();
    this.interfere();
    const found = this.#encryptions.get(Buffer.from(encrypted).toString('hex'));
    if (found?.keyId !== keyId || !isDeepStrictEqual(found.context, context))
      throw new ServiceError('InvalidCiphertextException', 'not encrypted with this context', 400);
    return found.plain;
  }
}
