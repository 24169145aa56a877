import { createHash } from 'node:crypto';
import type { EncryptionContext, Kms } from '../../src/aws/client/kms.ts';
import { ServiceError } from '../../src/aws/client/transport/service-error.ts';
import { KmsDataKeys } from '../../src/aws/keys/kms-data-keys.ts';
import type { DataKeys } from '../../src/stores/data-keys.ts';
import { dynamoDbClientOf } from './dynamodb-client.ts';
import type { Environment } from './environment.ts';
import type { Account } from './lambdas.ts';

/** The table of data keys. */
export const keysTable = { keys: { key: { partition: 'pk' } } } as const;

/**
 * Creates the data keys of a process, which encrypts and decrypts them with KMS. Returns undefined in a run without
 * personal data.
 */
export function dataKeysIn(account: Account, environment: Environment): DataKeys | undefined {
  if (!account.sealed) return undefined;
  const keys = new KmsDataKeys({
    database: dynamoDbClientOf(account, environment),
    table: 'keys',
    kms: kmsOf(account, environment),
    keyArn: 'arn:aws:kms:us-east-1:000000000000:key/1',
    clock: environment.clock,
  });
  return account.sabotage.dataKeys?.(keys) ?? keys;
}

/** Creates a process's client for KMS. The encrypted form of a data key is its instance and number. */
function kmsOf({ log }: Account, environment: Environment): Kms {
  const generate = ({ model, transaction }: EncryptionContext) => {
    const name = `${model}#${transaction}`;
    const keys = log.dataKeys.get(name) ?? [];
    const encrypted = `${keys.length} ${name}`;
    const plain = createHash('sha256').update(encrypted).digest();
    log.dataKeys.set(name, [...keys, plain]);
    return { plain, encrypted: Buffer.from(encrypted) };
  };
  const decrypt = (encrypted: Uint8Array, { model, transaction }: EncryptionContext) => {
    const [number, ...name] = Buffer.from(encrypted).toString().split(' ');
    const key = log.dataKeys.get(name.join(' '))?.[Number(number)];
    if (!key || name.join(' ') !== `${model}#${transaction}`)
      throw new ServiceError('InvalidCiphertextException', 'not encrypted with this context', 400);
    return key;
  };
  const call = <Value>(what: string, effect: () => Value) =>
    environment.call(() => what, { service: 'kms', effect: async () => effect() });
  return {
    generateDataKey: (_, context) => call('GenerateDataKey', () => generate(context)),
    decrypt: (_, encrypted, context) => call('Decrypt', () => decrypt(encrypted, context)),
  };
}
