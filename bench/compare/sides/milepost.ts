import { PutRecordsCommand } from '@aws-sdk/client-kinesis';
import type { Account } from '../../../models/activation/model.ts';
import { instancePath, Service } from '../../../test/support/service.ts';
import { eventsOf, type WorkEvent } from '../../support/work.ts';
import { commandLine, descendants } from '../processes/process-tree.ts';
import { endWithUs } from '../processes/processes.ts';
import type { Role, Side } from '../side.ts';

/** The most that a PutRecords takes. */
const recordsPerPut = 500;

/** The whole local service, as `npm start` runs it. */
export const milepost: Side = {
  name: 'milepost',
  paced: true,
  facts: {
    disk: 'not synced by the local endpoints (a killed process loses nothing, a power failure may); Kinesis and DynamoDB themselves do',
    duplicates: 'each event is applied once for ever, by its source and id',
    interleaving:
      'PutRecords of 500, one after the other; shards and batches at once, an instance in order; what a batch has of one instance is folded into one commit by Milepost itself',
    otherwise:
      'with a stream, a history of every event, and lists by status; app side: the Lambdas of the Dispatcher and the model; event source: the process that reads the stream for them and hosts Lambdas; endpoints: Kinesis and DynamoDB',
  },
  missing: async () => undefined,
  does: (_, mode) => mode === 'each',
  async start(folder) {
    const service = await Service.start({ MILEPOST_DATA: folder });
    const pid = service.process.pid!;
    const left = endWithUs(service.process, 'SIGTERM');
    const put = async (events: readonly WorkEvent[]) => {
      const Records = events.map((event) => ({
        PartitionKey: event.transactionid,
        Data: Buffer.from(JSON.stringify(event)),
      }));
      const { FailedRecordCount } = await service.kinesis.send(
        new PutRecordsCommand({ StreamName: service.ready.stream, Records }),
      );
      if (FailedRecordCount) throw new Error(`${FailedRecordCount} records were not taken`);
    };
    return {
      processes: () =>
        new Map<number, Role>([
          [pid, 'event source'],
          ...descendants(pid).map((child) => [child, roleOf(child)] as const),
          [process.pid, 'client'],
        ]),
      async put(work) {
        const events = eventsOf(work);
        for (let n = 0; n < events.length; n += recordsPerPut)
          await put(events.slice(n, n + recordsPerPut));
      },
      send: put,
      async read(transaction) {
        const path = instancePath('activation', transaction);
        const { status, body } = await service.ask<{ state: Account }>(path);
        return status === 200 ? body.state : undefined;
      },
      async [Symbol.asyncDispose]() {
        const { status, stderr } = await service.stop();
        left();
        if (status !== 0) throw new Error(`the service ended with ${status}: ${stderr}`);
      },
    };
  },
};

function roleOf(pid: number): Role {
  const command = commandLine(pid);
  if (/(dynalite|kinesalite)-process/.test(command)) return 'endpoints';
  if (/"functionName":"[^"]*(Dispatcher|Modelsactivation)/.test(command)) return 'app';
  return 'other';
}
