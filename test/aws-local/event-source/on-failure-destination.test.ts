import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FolderDestination } from '../../../src/aws-local/event-source/on-failure-destination.ts';
import { systemRandom } from '../../../src/aws-local/random.ts';
import { temporaryFolder } from '../endpoints/support.ts';
import { Harness, mappingIdentity, onlyShard } from './harness.ts';

it('the on-failure destination writes a discarded batch to a file whose path is the S3 object key that AWS would use', async () => {
  const folder = await temporaryFolder();
  const destination = new FolderDestination(folder, mappingIdentity.uuid, systemRandom);
  const harness = new Harness({ destination });
  await harness.clock.advance(((4 * 60 + 5) * 60 + 6) * 1000 + 789);
  const put = harness.stream.put(onlyShard, 'ATV-1', 'ATV-2');
  harness.handler = () => {
    throw new Error('always');
  };
  await harness.started({ MaximumRetryAttempts: 0 });

  const day = join(folder, 'aws', 'lambda', mappingIdentity.uuid, onlyShard, '2026', '01', '01');
  const files = await untilThere(day);
  expect(files).toHaveLength(1);
  expect(files[0]).toMatch(/^2026-01-01T04\.05\.06-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

  const record = JSON.parse(await readFile(join(day, files[0] ?? ''), 'utf8'));
  expect(record).toMatchObject({
    requestContext: {
      functionArn: mappingIdentity.functionArn,
      condition: 'RetryAttemptsExhausted',
    },
    timestamp: '2026-01-01T04:05:06.789Z',
    KinesisBatchInfo: { shardId: onlyShard, startSequenceNumber: put[0], batchSize: 2 },
    payload: harness.invocations[0]?.event,
  });
});

/** Waits until a folder contains a complete file. Returns the file names in the folder. */
async function untilThere(folder: string): Promise<readonly string[]> {
  for (;;) {
    const names = await readdir(folder).catch(() => []);
    if (names.length > 0 && !names.some((name) => name.endsWith('.tmp'))) return names;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
