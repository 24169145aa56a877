import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';

export interface TablesProps {
  readonly encryptionKey?: IKey;
  readonly removalPolicy: RemovalPolicy;
  /** Whether the table of instances has a stream of its changes. @default false */
  readonly isStreamed?: boolean;
  /** Whether a deleted dead letter can be brought back for one day only. @default false */
  readonly hasPersonalData?: boolean;
}

const string = (name: string) => ({ name, type: AttributeType.STRING });

/** Indexes of the instances table: the name, and the key attributes. They hold keys alone. */
const instanceIndexes = [
  { indexName: 'by-change', partitionKey: 'changeShard', sortKey: 'changeKey' },
  { indexName: 'by-status', partitionKey: 'statusShard', sortKey: 'changeKey' },
  { indexName: 'by-transaction', partitionKey: 'transactionShard', sortKey: 'transaction' },
  { indexName: 'by-due', partitionKey: 'dueShard', sortKey: 'dueKey' },
  { indexName: 'by-late', partitionKey: 'lateShard', sortKey: 'lateKey' },
  { indexName: 'by-parked', partitionKey: 'parkedShard', sortKey: 'parkedKey' },
];

/**
 * In days.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_PointInTimeRecoverySpecification.html
 */
const minimumRecoveryDays = 1;

/** The three tables: instances (the truth), the registry of models, and the dead letters. */
export class Tables extends Construct {
  readonly instances: Table;
  readonly registry: Table;
  readonly deadLetters: Table;

  constructor(
    scope: Construct,
    id: string,
    { encryptionKey, removalPolicy, isStreamed = false, hasPersonalData = false }: TablesProps,
  ) {
    super(scope, id);
    const common = {
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: encryptionKey ? TableEncryption.CUSTOMER_MANAGED : TableEncryption.AWS_MANAGED,
      encryptionKey,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      removalPolicy,
      // A protected table cannot be deleted, which is what any other policy asks for.
      deletionProtection: removalPolicy === RemovalPolicy.RETAIN,
    };
    const itemCollections = { ...common, partitionKey: string('pk'), sortKey: string('sk') };

    this.instances = new Table(this, 'Instances', {
      ...itemCollections,
      ...(isStreamed && { stream: StreamViewType.NEW_IMAGE }),
    });
    for (const { indexName, partitionKey, sortKey } of instanceIndexes)
      this.instances.addGlobalSecondaryIndex({
        indexName,
        partitionKey: string(partitionKey),
        sortKey: string(sortKey),
        projectionType: ProjectionType.KEYS_ONLY,
      });
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
  }

  /** Lets `grantee` look instances up by these indexes. */
  grantQueryIndexes(grantee: IGrantable, ...names: string[]): void {
    grantee.grantPrincipal.addToPrincipalPolicy(
      new PolicyStatement({
        actions: ['dynamodb:Query'],
        // Named one by one: Table.grant would write index/*.
        resources: names.map((name) => `${this.instances.tableArn}/index/${name}`),
      }),
    );
  }
}

/** Lets `grantee` do `actions` on the table itself, and use the key that encrypts it. */
export function grantTable(table: Table, grantee: IGrantable, ...actions: string[]): void {
  allow(table, grantee, actions);
  table.encryptionKey?.grantEncryptDecrypt(grantee);
}

/** The same for `actions` that only read. */
export function grantTableRead(table: Table, grantee: IGrantable, ...actions: string[]): void {
  allow(table, grantee, actions);
  table.encryptionKey?.grantDecrypt(grantee);
}

function allow(table: Table, grantee: IGrantable, actions: readonly string[]): void {
  grantee.grantPrincipal.addToPrincipalPolicy(
    new PolicyStatement({
      actions: actions.map((action) => `dynamodb:${action}`),
      resources: [table.tableArn],
    }),
  );
}
