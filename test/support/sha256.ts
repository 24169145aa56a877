import { createHash, createHmac } from 'node:crypto';

/** SHA-256 with the interface that the AWS SDK's signer requires. */
export class Sha256 {
  readonly #hash;
  constructor(secret?: Uint8Array) {
    this.#hash = secret ? createHmac('sha256', secret) : createHash('sha256');
  }
  update(data: Uint8Array): void {
    this.#hash.update(data);
  }
  digest(): Promise<Uint8Array> {
    return Promise.resolve(new Uint8Array(this.#hash.digest()));
  }
  reset(): void {}
}
