import { Validations } from 'aws-cdk-lib';
import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { allow } from '../allow.ts';
import { grantTable, type StorageProps, tableSettings } from '../storage/tables.ts';

/**
 * The keys that seal personal data, one for each instance, and the KMS key that encrypts them.
 *
 * This KMS key is not the tracker's `encryptionKey`, which an app can change: AWS encrypts tables and streams with a
 * new key, but each data key can only be decrypted with the KMS key that encrypted it.
 */
export class PersonalData extends Construct {
  readonly key: Key;
  readonly table: Table;

  constructor(scope: Construct, id: string, props: StorageProps) {
    super(scope, id);
    this.key = new Key(this, 'Key', {
      description: 'Milepost: encrypts the keys that seal personal data',
      enableKeyRotation: true,
      removalPolicy: props.removalPolicy,
    });
    this.table = new Table(this, 'Keys', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      ...tableSettings(props),
    });
    Validations.of(this.table).acknowledge({
      id: 'AwsSolutions-DDB3',
      reason: 'A backup would restore destroyed keys, and with them, erased personal data.',
    });
  }

  /** Grants a function permission to seal and unseal personal data. */
  grantSeal(fn: Function): void {
    this.#grant(fn, 'kms:Decrypt', 'kms:GenerateDataKey');
  }

  /** Grants a function permission to unseal personal data and to destroy keys. */
  grantForget(fn: Function): void {
    this.#grant(fn, 'kms:Decrypt');
  }

  #grant(fn: Function, ...actions: string[]): void {
    grantTable(this.table, fn, 'GetItem', 'PutItem');
    allow(fn, actions, [this.key.keyArn]);
    fn.addEnvironment('MILEPOST_KEYS_TABLE', this.table.tableName);
    fn.addEnvironment('MILEPOST_DATA_KEY', this.key.keyArn);
  }
}
