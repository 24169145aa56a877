import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient, ListTablesCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { PutRecordCommand } from '@aws-sdk/client-kinesis';
import { marshall } from '@aws-sdk/util-dynamodb';
import { kinesisClient } from '../../src/local/running/aws-clients.ts';
import type { ReadyLine } from '../../src/local/stack.ts';

/** The address of the instance whose page is shown in the screenshots. */
export const shown = '/instances/service-request/SR-2041';

const hour = 3_600_000;
const day = 24 * hour;

/** Sends typical events to a service and waits until the service has processed them. */
export async function setScene(ready: ReadyLine): Promise<void> {
  let ids = 0;
  const event = (model: string, transaction: string, type: string, ago: number, data = {}) => ({
    id: `e${++ids}`,
    source: 'crm',
    type,
    modelid: model,
    transactionid: transaction,
    time: new Date(Date.now() - ago).toISOString(),
    data,
  });
  const request = (transaction: string, ago: number, ...milestones: string[]) =>
    milestones.map((milestone, index) =>
      event('service-request', transaction, 'milestone.reached', ago * 0.8 ** index, { milestone }),
    );
  const device = (transaction: string, tokens: readonly string[]) => [
    event('activation', transaction, 'account.created', day),
    event('activation', transaction, 'activation.requested', 20 * hour, {
      service: 'NBCSports',
      token: 'MTOB1J',
    }),
    ...tokens.map((token) =>
      event('activation', transaction, 'entitlement.requested', hour, {
        service: 'NBCSports',
        token,
      }),
    ),
  ];
  await forbid(ready, 'claims');
  await post(ready, [
    event('claims', 'CL-77', 'account.created', hour),
    event('claims', 'CL-77', 'activation.requested', hour),
    ...Array.from({ length: 14 }, (_, n) =>
      device(`ATV-${1200 + 7 * n}`, n % 3 ? ['MTOB1J'] : ['X', 'Y']),
    ).flat(),
    ...Array.from({ length: 9 }, (_, n) =>
      request(`SR-${2050 + n}`, (n + 1) * 5 * hour, ...all.slice(0, 1 + ((n * 3) % 5))),
    ).flat(),
    event('tickets', 'Semi-Final', 'event.created', day, { available: 400 }),
    event('tickets', 'Semi-Final', 'tickets.purchased', hour, { who: 'jan', qty: 4 }),
    event('tickets', 'Semi-Final', 'tickets.reserved', 0, { who: 'fred', qty: 2 }),
    event('map-reduce', 'job-9', 'job.submitted', 0, { items: [1, 2, 3, 4, 5], chunks: 5 }),
    event('session', 'web-5518', 'session.started', 0, { token: 'q8', data: { lang: 'en' } }),
    ...request('SR-2041', 3 * day, 'received', 'verified'),
    event('service-request', 'SR-2041', 'milestone.reached', 40 * hour, { milestone: 'paid' }),
    event('service-request', 'SR-2041', 'milestone.reached', 30 * hour, { milestone: 'scheduled' }),
  ]);
  const kinesis = kinesisClient(ready.kinesis);
  for (const text of [
    '{"foo":"data for you"}',
    '{"id":"7","type":"order.paid","modelid":"billing","transactionid":"B-1"}',
  ])
    await kinesis.send(
      new PutRecordCommand({
        StreamName: ready.stream,
        PartitionKey: 'x',
        Data: Buffer.from(text),
      }),
    );
  kinesis.destroy();
  await until(ready, '/api/dead-letters', ({ deadLetters }) => deadLetters.length === 4);
  await until(ready, `/api${shown}/history`, ({ entries }) => entries.length === 4);
}

const all = ['received', 'verified', 'scheduled', 'fulfilled', 'closed'];

async function post(ready: ReadyLine, events: readonly object[]): Promise<void> {
  const { ok, status } = await fetch(`${ready.api}/api/events`, {
    method: 'POST',
    body: JSON.stringify(events),
  });
  if (!ok) throw new Error(`the service rejected the events with status ${status}`);
}

/** Registers a model whose Lambda function does not exist, so that its events are parked. */
async function forbid(ready: ReadyLine, id: string): Promise<void> {
  const answer = await fetch(`${ready.api}/api/models/activation`);
  const like = (await answer.json()) as { readonly functionArn: string };
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const { dynamodb: endpoint, region } = ready;
  const database = new DynamoDBClient({ endpoint, region, credentials });
  const { TableNames = [] } = await database.send(new ListTablesCommand({}));
  const TableName = TableNames.find((name) => name.includes('Registry'));
  const Item = marshall({ ...like, id, title: 'Claims', functionArn: `${like.functionArn}Gone` });
  await database.send(new PutItemCommand({ TableName, Item }));
  database.destroy();
}

type Lists = { readonly deadLetters: unknown[]; readonly entries: unknown[] };

async function until(
  ready: ReadyLine,
  path: string,
  wanted: (body: Lists) => boolean,
): Promise<void> {
  for (const end = Date.now() + 30_000; Date.now() < end; await pause(50)) {
    const response = await fetch(`${ready.api}${path}`);
    if (response.ok && wanted((await response.json()) as Lists)) return;
  }
  throw new Error(`${path} did not meet the condition in time`);
}
