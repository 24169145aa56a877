import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Endpoint, startDynamoDb } from '../../../src/aws-local/endpoints/index.ts';
import { answerMappingRequest } from '../../../src/aws-local/lambda/event-source-mappings.ts';
import type { InvokeRequest } from '../../../src/aws-local/lambda/invocation.ts';
import { LambdaHost } from '../../../src/aws-local/lambda/lambda-host.ts';
import { createTables } from '../../../src/local/deploy/create-tables.ts';
import { dynamoDbClient, kinesisClient } from '../../../src/local/running/aws-clients.ts';
import { startProcessing } from '../../../src/local/running/processing.ts';
import { type DataFolder, openDataFolder } from '../../../src/local/settings/data-folder.ts';
import type { EventSourceDefinition } from '../../../src/local/template/service-definition.ts';

/** A Lambda host that records the events of its only function. */
class Host extends LambdaHost {
  readonly events: DynamoDBStreamEvent[] = [];

  override async invoke({ payload }: InvokeRequest) {
    this.events.push(JSON.parse(String(payload)) as DynamoDBStreamEvent);
    return { statusCode: 200 as const, requestId: 'r', payload: 'null' };
  }
}

const source = (TableName: string): EventSourceDefinition => ({
  id: 'Changes',
  functionName: 'consumer',
  functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:consumer',
  streamName: TableName,
  streamArn: `arn:aws:dynamodb:us-east-1:000000000000:table/${TableName}/stream/latest`,
  tableName: TableName,
  settings: { StartingPosition: 'TRIM_HORIZON' },
});

const table = (TableName: string, isStreamed: boolean) => ({
  TableName,
  BillingMode: 'PAY_PER_REQUEST' as const,
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' as const }],
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' as const }],
  StreamSpecification: isStreamed
    ? { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' as const }
    : undefined,
});

let dynamodb: Endpoint;
let folder: DataFolder;
let host: Host;
beforeEach(async () => {
  dynamodb = await startDynamoDb({ port: 0, dataFolder: null });
  onTestFinished(() => dynamodb.close());
  const root = await mkdtemp(join(tmpdir(), 'milepost-event-sources-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  folder = await openDataFolder(root);
  host = new Host({ functions: [], runtimeEnvironment: {} });
});

async function start(TableName: string, isStreamed: boolean) {
  const client = dynamoDbClient(dynamodb.url);
  onTestFinished(() => client.destroy());
  await createTables(client, [table(TableName, isStreamed)]);
  const kinesis = kinesisClient(dynamodb.url);
  onTestFinished(() => kinesis.destroy());
  const endpoints = { kinesis: dynamodb, dynamodb, client: kinesis };
  const processing = await startProcessing(
    { eventSources: [source(TableName)], schedules: [] },
    { ...endpoints, host, folder, log: () => {}, muted: new Set() },
  );
  onTestFinished(() => processing[Symbol.asyncDispose]());
  return { client, processing };
}

describe('an event source mapping on the stream of a table', () => {
  it('invokes its function with the changes to the table, and can be listed, disabled, and enabled through the Lambda API', async () => {
    const { client, processing } = await start('shop', true);
    await client.send(new PutItemCommand({ TableName: 'shop', Item: { id: { S: 'a' } } }));
    await vi.waitFor(() => expect(host.events).toHaveLength(1), 10_000);
    const streamArn = host.events[0]?.Records[0]?.eventSourceARN;
    expect(streamArn).toMatch(/:table\/shop\/stream\/\d{4}-/);

    const offered = { list: () => processing.mappings, log: () => {} };
    const query = new URLSearchParams({ EventSourceArn: String(streamArn) });
    const request = { method: 'GET', uuid: undefined, query, body: '' };
    expect(answerMappingRequest(offered, request).body).toMatchObject({
      EventSourceMappings: [
        {
          UUID: 'Changes',
          EventSourceArn: streamArn,
          State: 'Enabled',
          StartingPosition: 'TRIM_HORIZON',
        },
      ],
    });

    const change = (Enabled: boolean) => {
      const update = { method: 'PUT', uuid: 'Changes', query, body: JSON.stringify({ Enabled }) };
      return answerMappingRequest(offered, update);
    };
    change(false);
    await vi.waitFor(() => expect(processing.mappings[0]?.state).toBe('Disabled'), 10_000);
    await client.send(new PutItemCommand({ TableName: 'shop', Item: { id: { S: 'b' } } }));
    change(true);
    await vi.waitFor(() => expect(host.events).toHaveLength(2), 10_000);
    const keys = host.events.flatMap(({ Records }) => Records.map(({ dynamodb: d }) => d?.Keys));
    expect(keys).toEqual([{ id: { S: 'a' } }, { id: { S: 'b' } }]);
  });

  it('cannot be created for a table without a stream', async () => {
    await expect(start('plain', false)).rejects.toThrow(
      /the table plain, but the table has no stream/,
    );
  });
});
