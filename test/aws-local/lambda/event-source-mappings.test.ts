import {
  GetEventSourceMappingCommand,
  LambdaClient,
  ListEventSourceMappingsCommand,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { ManagedMapping } from '../../../src/aws-local/event-source/managed-mapping.ts';
import { createInvokeServer } from '../../../src/aws-local/lambda/invoke-server.ts';
import { listen } from '../../../src/aws-local/server/listen.ts';
import { Harness, mappingIdentity, onlyShard } from '../event-source/harness.ts';
import { hostOf } from './bundles.ts';

const { uuid: UUID, streamArn, functionArn } = mappingIdentity;

const logged: string[] = [];
let harness: Harness;
let mapping: ManagedMapping;
const server = await listen(
  createInvokeServer(hostOf([]), { list: () => [mapping], log: (line) => logged.push(line) }),
  0,
);
const lambda = new LambdaClient({
  endpoint: server.url,
  region: 'us-east-1',
  credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
  maxAttempts: 1,
});

beforeEach(async () => {
  harness = new Harness();
  mapping = new ManagedMapping(harness.options({ BatchSize: 500 }));
  await mapping.enable();
});
afterAll(async () => {
  lambda.destroy();
  await server[Symbol.asyncDispose]();
});

const update = (Enabled: boolean, more = {}) =>
  lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled, ...more }));
const get = () => lambda.send(new GetEventSourceMappingCommand({ UUID }));

describe('event source mappings in the HTTP API of Lambda', () => {
  it('are listed with their state and settings', async () => {
    const { EventSourceMappings } = await lambda.send(new ListEventSourceMappingsCommand({}));
    expect(EventSourceMappings).toEqual([
      expect.objectContaining({
        UUID,
        EventSourceArn: streamArn,
        FunctionArn: functionArn,
        State: 'Enabled',
        LastProcessingResult: 'No records processed',
        LastModified: new Date(harness.clock.now()),
        StartingPosition: 'TRIM_HORIZON',
        BatchSize: 500,
      }),
    ]);
  });

  it.each([
    ['the name of the function', { FunctionName: 'dispatcher' }],
    ['the ARN of the function', { FunctionName: functionArn }],
    ['the stream', { EventSourceArn: streamArn }],
  ])('are found by %s', async (_what, query) => {
    const found = await lambda.send(new ListEventSourceMappingsCommand(query));
    expect(found.EventSourceMappings).toMatchObject([{ UUID }]);
  });

  it.each([
    ['another function', { FunctionName: 'publisher' }],
    ['another stream', { FunctionName: 'dispatcher', EventSourceArn: `${streamArn}-2` }],
  ])('are not listed for %s', async (_what, query) => {
    const found = await lambda.send(new ListEventSourceMappingsCommand(query));
    expect(found.EventSourceMappings).toEqual([]);
  });

  it('are disabled and enabled in the background', async () => {
    expect((await update(false)).State).toBe('Disabling');
    await harness.clock.advance(1000);
    expect((await get()).State).toBe('Disabled');

    expect((await update(true)).State).toBe('Enabling');
    await harness.clock.advance(1000);
    expect((await get()).State).toBe('Enabled');
  });

  it('log the reason for a failed change', async () => {
    await harness.clock.runUntil(mapping.disable());
    harness.checkpoints.load = () => Promise.reject(new Error('unreadable'));
    await update(true);
    await expect
      .poll(() => logged)
      .toEqual([`cannot change the event source mapping ${UUID}: unreadable`]);
    expect((await get()).State).toBe('Disabled');
  });

  it('reject a change during another change', async () => {
    harness.handler = () => new Promise(() => {});
    harness.stream.put(onlyShard, 'a');
    await harness.clock.advance(1000);
    await update(false);
    await expect(update(true)).rejects.toMatchObject({
      name: 'ResourceInUseException',
      $metadata: { httpStatusCode: 400 },
    });
  });

  it('reject changes to other settings', async () => {
    await expect(update(false, { BatchSize: 1 })).rejects.toMatchObject({
      name: 'InvalidParameterValueException',
      message: expect.stringContaining('changes only `Enabled`'),
    });
    expect(mapping.state).toBe('Enabled');
  });

  it('return an error for an unknown id', async () => {
    const unknown = new GetEventSourceMappingCommand({ UUID: 'none' });
    await expect(lambda.send(unknown)).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      $metadata: { httpStatusCode: 404 },
    });
  });

  it('cannot be created or deleted', async () => {
    const path = `${server.url}/2015-03-31/event-source-mappings`;
    expect((await fetch(path, { method: 'POST', body: '{}' })).status).toBe(404);
    expect((await fetch(`${path}/${UUID}`, { method: 'DELETE' })).status).toBe(404);
  });
});
