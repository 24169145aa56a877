import { PutRecordsCommand } from '@aws-sdk/client-kinesis';
import { messageOf } from '../../common/message-of.ts';
import { kinesisClient } from '../running/aws-clients.ts';
import type { ReadyLine } from '../stack.ts';
import type { DemoRecord } from './demo-record.ts';
import { playDemo } from './play-demo.ts';

/**
 * Puts demo data on the stream of a running service, as other systems would. If the demo fails, the service keeps
 * running.
 */
export function startDemo(
  { kinesis, stream, api }: ReadyLine,
  log: (line: string) => void,
): AsyncDisposable {
  const client = kinesisClient(kinesis);
  const stopped = new AbortController();
  const put = async (records: readonly DemoRecord[]) => {
    const { FailedRecordCount = 0 } = await client.send(
      new PutRecordsCommand({
        StreamName: stream,
        Records: records.map(({ partitionKey, text }) => ({
          PartitionKey: partitionKey,
          Data: Buffer.from(text),
        })),
      }),
    );
    if (FailedRecordCount > 0)
      throw new Error(`the stream rejected ${FailedRecordCount} of ${records.length} records`);
  };
  log(`Demo: the pages are at ${api}`);
  const playing = playDemo({ put, log, signal: stopped.signal }).catch((error) =>
    log(`Demo: stopped: ${messageOf(error)}`),
  );
  return {
    [Symbol.asyncDispose]: async () => {
      stopped.abort();
      await playing;
      client.destroy();
    },
  };
}
