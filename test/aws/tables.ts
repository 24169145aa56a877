import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CreateTableCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { App, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { CustomerLinks } from '../../lib/api/customer-links.ts';
import { Tables } from '../../lib/storage/tables.ts';
import { type DynamoDb, dynamoDb } from '../../src/aws/client/dynamodb.ts';
import { type Endpoint, startDynamoDb } from '../../src/aws-local/endpoints/index.ts';
import { createTables } from '../../src/local/deploy/create-tables.ts';
import { dynamoDbClient } from '../../src/local/running/aws-clients.ts';
import { serviceAt } from '../support/service/service-at.ts';

type Definition = Omit<CreateTableCommandInput, 'TableName'>;

/** The names of one set of the service's tables. */
export interface TableNames {
  readonly instances: string;
  readonly registry: string;
  readonly deadLetters: string;
  readonly links: string;
}

/** An embedded DynamoDB that can create the service's tables any number of times. */
export interface Database extends AsyncDisposable {
  readonly client: DynamoDBClient;
  /** The client with the interface that the service's functions use. */
  readonly dynamoDb: DynamoDb;
  newTables(): Promise<TableNames>;
}

/**
 * The embedded, in-memory DynamoDB of this process. It runs until the process exits. Test files share it, because
 * starting a DynamoDB for each file takes a tenth of the time of `npm test`. Each set of tables has unique names, so
 * the files do not affect each other.
 */
let started: Promise<Endpoint> | undefined;
let definitions: Record<keyof TableNames, Definition> | undefined;
let sets = 0;

/** Returns a connection to the embedded DynamoDB, which starts with the first connection. */
export async function startDatabase(): Promise<Database> {
  const endpoint = await (started ??= startDynamoDb({ port: 0, dataFolder: null }));
  const client = dynamoDbClient(endpoint.url);
  const tables = Object.entries((definitions ??= tableDefinitions()));
  return {
    client,
    dynamoDb: dynamoDb(serviceAt(endpoint.url)),
    async newTables() {
      const set = sets++;
      const named = tables.map(([table, definition]) => ({
        ...definition,
        TableName: `${table}-${set}`,
      }));
      await createTables(client, named);
      return {
        instances: `instances-${set}`,
        registry: `registry-${set}`,
        deadLetters: `deadLetters-${set}`,
        links: `links-${set}`,
      };
    },
    async [Symbol.asyncDispose]() {
      client.destroy();
    },
  };
}

/** Returns the table definitions of the CDK constructs. */
function tableDefinitions(): Record<keyof TableNames, Definition> {
  const outdir = mkdtempSync(join(tmpdir(), 'milepost-tables-'));
  try {
    const stack = new Stack(new App({ outdir }), 'Test');
    const removalPolicy = RemovalPolicy.DESTROY;
    const tables = new Tables(stack, 'Tables', { removalPolicy });
    const links = new CustomerLinks(stack, 'Links', { removalPolicy });
    const { Resources } = Template.fromStack(stack).toJSON() as {
      Resources: Record<string, { Properties: CreateTableCommandInput }>;
    };
    const definitionOf = (table: Tables['instances']) => {
      const { Ref } = stack.resolve(table.tableName) as { Ref: string };
      const { BillingMode, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes } =
        Resources[Ref]!.Properties;
      return { BillingMode, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes };
    };
    return {
      instances: definitionOf(tables.instances),
      registry: definitionOf(tables.registry),
      deadLetters: definitionOf(tables.deadLetters),
      links: definitionOf(links.table),
    };
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}
