import { PutRecordCommand } from '@aws-sdk/client-kinesis';
import type { ServiceClient } from '../support/service/service.ts';
import { instancePath } from '../support/service/service.ts';

interface DeadLetters {
  readonly deadLetters: readonly unknown[];
}

/** Creates instances, links, and dead letters so that no response from the API is empty. */
export async function putSampleData(service: ServiceClient): Promise<void> {
  await service.post(
    ...['received', 'verified'].map((milestone) =>
      event('service-request', 'R-1', 'milestone.reached', { milestone }),
    ),
    // The expected time of the next milestone of this instance is in the past.
    {
      ...event('service-request', 'R-2/a b', 'milestone.reached', { milestone: 'received' }),
      time: '2026-01-01T00:00:00Z',
    },
    event('service-request', 'R-1', 'milestone.unknown'),
    event('fragile', 'F-1', 'counted', { name: 'Momo' }),
    event('fragile', 'F-1', 'failed'),
    event('fragile', 'F-1', 'counted', { name: null }),
    event('fragile', 'F-2', 'failed'),
  );
  for (const text of ['not JSON', '{"id":"1"}', '{"id":"2","modelid":"nobody"}'])
    await service.kinesis.send(
      new PutRecordCommand({
        StreamName: service.ready.stream,
        PartitionKey: text,
        Data: Buffer.from(text),
      }),
    );
  await service.eventually(
    `${instancePath('service-request', 'R-1')}/history`,
    (body: { entries: unknown[] }) => body.entries.length === 3,
  );
  await service.eventually('/api/dead-letters', ({ deadLetters }: DeadLetters) => {
    return deadLetters.length === 6;
  });
}

function event(modelid: string, transactionid: string, type: string, data: object = {}) {
  const id = `${type} ${JSON.stringify(data)}`;
  return { id, source: 'test', type, modelid, transactionid, data };
}
