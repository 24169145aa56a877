import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { partitionCountsKey } from '../../src/aws/instances/partition-counts.ts';
import { allow } from '../allow.ts';
import { type InstanceIndex, instanceIndexes } from './instance-indexes.ts';
import {
  addAutoScaling,
  capacityOfIndex,
  checkCapacity,
  type ProvisionedCapacity,
  seedCapacityOf,
} from './provisioned-capacity.ts';

/** The encryption and removal policy of resources that store data. */
export interface StorageProps {
  readonly encryptionKey?: IKey;
  readonly removalPolicy: RemovalPolicy;
}

export interface TablesProps extends StorageProps {
  /**
   * Whether models can have personal data. If true, point-in-time recovery of dead letters reaches back only one day.
   * @default false
   */
  readonly hasPersonalData?: boolean;
  /** The provisioned capacity of the instances table. Default: on demand. */
  readonly instancesCapacity?: ProvisionedCapacity;
}

const string = (name: string) => ({ name, type: AttributeType.STRING });

/**
 * The shortest period for point-in-time recovery that DynamoDB supports, in days.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_PointInTimeRecoverySpecification.html
 */
const minimumRecoveryDays = 1;

/** Returns the properties that all tables share. */
export const tableSettings = ({ encryptionKey, removalPolicy }: StorageProps) => ({
  billingMode: BillingMode.PAY_PER_REQUEST,
  encryption: encryptionKey ? TableEncryption.CUSTOMER_MANAGED : TableEncryption.AWS_MANAGED,
  encryptionKey,
  removalPolicy,
  // With any other policy, CloudFormation may have to delete the table (with RETAIN_ON_UPDATE_OR_DELETE, only if the
  // table's first deployment fails). Deletion protection would prevent that.
  deletionProtection: removalPolicy === RemovalPolicy.RETAIN,
});

/** The tables: instances (the source of truth), the model registry, the dead letters, and the counters of instances. */
export class Tables extends Construct {
  readonly instances: Table;
  readonly registry: Table;
  readonly deadLetters: Table;
  readonly counters: Table;

  constructor(
    scope: Construct,
    id: string,
    { encryptionKey, removalPolicy, hasPersonalData = false, instancesCapacity }: TablesProps,
  ) {
    super(scope, id);
    const common = {
      ...tableSettings({ encryptionKey, removalPolicy }),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    };
    const itemCollections = { ...common, partitionKey: string('pk'), sortKey: string('sk') };

    if (instancesCapacity !== undefined) checkCapacity(instancesCapacity);
    this.instances = new Table(this, 'Instances', {
      ...itemCollections,
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      ...(instancesCapacity && {
        billingMode: BillingMode.PROVISIONED,
        ...seedCapacityOf(instancesCapacity),
      }),
    });
    for (const { name, partition, sort } of instanceIndexes)
      this.instances.addGlobalSecondaryIndex({
        indexName: name,
        partitionKey: string(partition),
        sortKey: string(sort),
        projectionType: ProjectionType.KEYS_ONLY,
        ...(instancesCapacity && seedCapacityOf(capacityOfIndex(instancesCapacity, name))),
      });
    if (instancesCapacity) addAutoScaling(this.instances, instancesCapacity);
    this.registry = new Table(this, 'Registry', { ...common, partitionKey: string('id') });
    this.deadLetters = new Table(this, 'DeadLetters', {
      ...itemCollections,
      timeToLiveAttribute: 'expiresAt',
      ...(hasPersonalData && {
        pointInTimeRecoverySpecification: {
          pointInTimeRecoveryEnabled: true,
          recoveryPeriodInDays: minimumRecoveryDays,
        },
      }),
    });
    // A rebuild restores the counters from the instances, so they need no backup.
    this.counters = new Table(this, 'Counters', {
      ...tableSettings({ encryptionKey, removalPolicy }),
      partitionKey: string('pk'),
      sortKey: string('sk'),
      timeToLiveAttribute: 'expiresAt',
    });
    Validations.of(this.counters).acknowledge({
      id: 'AwsSolutions-DDB3',
      reason: 'A rebuild restores the counters from the instances, so they need no backup.',
    });
  }

  /** Grants `grantee` permission to query instances by the given indexes. */
  grantQueryIndexes(grantee: IGrantable, ...names: InstanceIndex[]): void {
    // The indexes are listed individually, because Table.grant would include index/*.
    allow(
      grantee,
      ['dynamodb:Query'],
      names.map((name) => `${this.instances.tableArn}/index/${name}`),
    );
  }

  /**
   * Grants `grantee` permission to write the item with the numbers of index partitions, but no other item of the
   * instances table.
   *
   * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
   */
  grantWritePartitionCounts(grantee: IGrantable): void {
    allow(grantee, ['dynamodb:PutItem'], [this.instances.tableArn], {
      'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [partitionCountsKey.pk.S] },
    });
    this.instances.encryptionKey?.grantEncryptDecrypt(grantee);
  }
}

/** Grants `grantee` the `actions` on the table without its indexes, and the use of the table's encryption key. */
export function grantTable(table: Table, grantee: IGrantable, ...actions: string[]): void {
  allow(grantee, dynamoDbActions(actions), [table.tableArn]);
  table.encryptionKey?.grantEncryptDecrypt(grantee);
}

/** Grants `grantee` read-only `actions` on the table without its indexes, and decryption with the table's key. */
export function grantTableRead(table: Table, grantee: IGrantable, ...actions: string[]): void {
  allow(grantee, dynamoDbActions(actions), [table.tableArn]);
  table.encryptionKey?.grantDecrypt(grantee);
}

/** Grants `grantee` permission to read the stream of the table's changes. */
export function grantStreamRead(table: Table, grantee: IGrantable): void {
  const actions = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
  allow(grantee, dynamoDbActions(actions), [streamArnOf(table)]);
  table.encryptionKey?.grantDecrypt(grantee);
}

/** Returns the ARN of the stream of the table's changes. */
export function streamArnOf(table: Table): string {
  if (!table.tableStreamArn) throw new Error(`${table.node.path} has no DynamoDB stream`);
  return table.tableStreamArn;
}

const dynamoDbActions = (names: readonly string[]) => names.map((name) => `dynamodb:${name}`);
