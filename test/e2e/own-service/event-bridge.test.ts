import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
} from '@aws-sdk/client-eventbridge';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { instancePath, type Service } from '../../support/service/service.ts';
import { startWithBus } from '../../support/service/service-with-bus.ts';

let folder: string;
let service: Service;
let client: EventBridgeClient;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'milepost-bus-'));
  const started = await startWithBus(folder);
  service = started.service;
  client = new EventBridgeClient({
    endpoint: started.eventBridge,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
}, 240_000);
afterAll(async () => {
  client.destroy();
  expect((await service.stop()).status).toBe(0);
  await rm(folder, { recursive: true });
});

const put = (...Entries: PutEventsRequestEntry[]) => client.send(new PutEventsCommand({ Entries }));
const created = (device: unknown, more: PutEventsRequestEntry = {}) => ({
  Source: 'com.example.devices',
  DetailType: 'account.created',
  Detail: JSON.stringify({ device }),
  ...more,
});

describe('an event on a local event bus', () => {
  it('updates an instance if it matches a rule, and is ignored otherwise', async () => {
    const { Entries = [] } = await put(
      created('BUS-1'),
      created('BUS-2', { Source: 'com.example.other' }),
      created('BUS-3', { EventBusName: 'other' }),
      created('BUS-4'),
    );
    await service.eventually(instancePath('activation', 'BUS-4'), () => true);
    // Wait for each event, because events in different shards are processed in any order.
    const history = await service.eventually(
      `${instancePath('activation', 'BUS-1')}/history`,
      () => true,
    );
    expect(history).toMatchObject({
      entries: [
        {
          outcome: 'applied',
          event: {
            id: Entries[0]?.EventId,
            source: 'com.example.devices',
            type: 'account.created',
            data: { device: 'BUS-1' },
          },
        },
      ],
    });
    for (const device of ['BUS-2', 'BUS-3'])
      expect((await service.ask(instancePath('activation', device))).status).toBe(404);
  });

  it('becomes a dead letter if it has no value at the path of the transaction id', async () => {
    const { FailedEntryCount } = await put(
      { ...created(17), Detail: '{"other":true}' },
      created(17),
    );
    expect(FailedEntryCount).toBe(0);
    const { deadLetters } = await service.eventually<{ deadLetters: { reason: string }[] }>(
      '/api/dead-letters',
      (body) => body.deadLetters.length === 2,
    );
    expect(deadLetters.map(({ reason }) => reason).join()).toMatch(
      /transactionid must be a string/,
    );
  });
});
