import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { messageOf } from '../core/errors.ts';
import { secretInFile } from './secret-file.ts';

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

interface Asked {
  readonly KeyId?: string;
  readonly CiphertextBlob?: string;
  readonly EncryptionContext?: Readonly<Record<string, string>>;
}

/**
 * KMS's GenerateDataKey and Decrypt over HTTP (AWS JSON 1.1): every key here is the one in a file that
 * its owner alone may read. The caller listens, on 127.0.0.1, and closes it.
 */
export function createKmsServer(path: string): Server {
  return createServer((request, response) => {
    const send = (status: number, body: object) =>
      response
        .writeHead(status, { 'content-type': 'application/x-amz-json-1.1' })
        .end(JSON.stringify(body));
    const answer = async () => {
      const asked = JSON.parse(await text(request)) as Asked;
      const key = hash('sha256', await secretInFile(path), 'buffer');
      const { KeyId, EncryptionContext = {} } = asked;
      switch (String(request.headers['x-amz-target'])) {
        case 'TrentService.GenerateDataKey': {
          const plain = randomBytes(32);
          const blob = encrypted(plain, key, EncryptionContext);
          const both = { Plaintext: plain.toString('base64'), CiphertextBlob: blob };
          return send(200, { KeyId, ...both });
        }
        case 'TrentService.Decrypt': {
          const plain = decrypted(asked.CiphertextBlob ?? '', key, EncryptionContext);
          if (!plain)
            return send(400, {
              __type: 'InvalidCiphertextException',
              message: 'it was not encrypted here, or for something else',
            });
          return send(200, { KeyId, Plaintext: plain.toString('base64') });
        }
        default:
          return send(400, { __type: 'UnknownOperationException' });
      }
    };
    answer().catch((error: unknown) =>
      send(500, { __type: 'KMSInternalException', message: messageOf(error) }),
    );
  });
}

type Context = Readonly<Record<string, string>>;

/** The same for the same members, in whatever order they come. */
const bytesOf = (context: Context) =>
  Buffer.from(JSON.stringify(Object.entries(context).toSorted(([a], [b]) => (a < b ? -1 : 1))));

function encrypted(plain: Uint8Array, key: Uint8Array, context: Context): string {
  const nonce = randomBytes(nonceBytes);
  const sealing = createCipheriv(cipher, key, nonce).setAAD(bytesOf(context));
  const parts = [nonce, sealing.update(plain), sealing.final(), sealing.getAuthTag()];
  return Buffer.concat(parts).toString('base64');
}

function decrypted(base64: string, key: Uint8Array, context: Context): Buffer | undefined {
  const bytes = Buffer.from(base64, 'base64');
  try {
    const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes))
      .setAAD(bytesOf(context))
      .setAuthTag(bytes.subarray(-tagBytes));
    const middle = bytes.subarray(nonceBytes, -tagBytes);
    return Buffer.concat([opening.update(middle), opening.final()]);
  } catch {
    return undefined;
  }
}
