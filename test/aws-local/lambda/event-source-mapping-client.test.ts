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

it('the event source mapping client returns the state and the latest result of a mapping', async () => {
  expect(await reader.read(mappingIdentity.uuid)).toEqual({
    state: 'Disabled',
    lastProcessingResult: 'No records processed',
  });
});

it('the event source mapping client returns undefined for a mapping that does not exist', async () => {
  expect(await reader.read('none/such')).toBeUndefined();
});
