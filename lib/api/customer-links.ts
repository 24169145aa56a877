import { Validations } from 'aws-cdk-lib';
import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { grantTable, grantTableRead, type StorageProps, tableSettings } from '../storage/tables.ts';

/** The table of valid links to customer status pages. A link that is not in this table does not open a page. */
export class CustomerLinks extends Construct {
  readonly table: Table;

  constructor(scope: Construct, id: string, props: StorageProps) {
    super(scope, id);
    this.table = new Table(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      timeToLiveAttribute: 'expiresAt',
      ...tableSettings(props),
    });
    Validations.of(this.table).acknowledge({
      id: 'AwsSolutions-DDB3',
      reason:
        'A backup would restore revoked links. If links are lost, operators can create new ones.',
    });
  }

  /** Grants a function permission to create, list, and revoke links. */
  grantManage(fn: Function): void {
    grantTable(this.table, fn, 'PutItem', 'Query', 'DeleteItem');
    this.#name(fn);
  }

  /** Grants a function permission to check links. */
  grantFollow(fn: Function): void {
    grantTableRead(this.table, fn, 'GetItem');
    this.#name(fn);
  }

  #name(fn: Function): void {
    fn.addEnvironment('MILEPOST_LINKS_TABLE', this.table.tableName);
  }
}
