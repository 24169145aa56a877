import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventSourceMappings } from '../../../src/aws/client/event-source-mappings.ts';
import { ManagedMapping } from '../../../src/aws-local/event-source/managed-mapping.ts';
import { createInvokeServer } from '../../../src/aws-local/lambda/invoke-server.ts';
import { listen, type RunningServer } from '../../../src/aws-local/server/listen.ts';
import type { EventSourceReader } from '../../../src/stores/event-source-reader.ts';
import { Harness, mappingIdentity } from '../event-source/harness.ts';
import { hostOf } from './bundles.ts';

const mapping = new ManagedMapping(new Harness().options());
let server: RunningServer;
let reader: EventSourceReader;

beforeAll(async () => {
  server = await listen(
    createInvokeServer(hostOf([]), { list: () => [mapping], log: () => {} }),
    0,
  );
  const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
  const options = { region: 'us-east-1', endpoint: server.url, credentials };
  reader = eventSourceMappings(options);
});
afterAll(() => server[Symbol.asyncDispose]());

it('the client reads the state and the latest result of an event source mapping', async () => {
  expect(await reader.read(mappingIdentity.uuid)).toEqual({
    state: 'Disabled',
    lastProcessingResult: 'No records processed',
  });
});

it('the client returns undefined for an event source mapping that does not exist', async () => {
  expect(await reader.read('none/such')).toBeUndefined();
});
