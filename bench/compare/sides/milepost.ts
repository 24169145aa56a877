import { PutRecordsCommand } from '@aws-sdk/client-kinesis';
import type { Account } from '../../../models/activation/model.ts';
import { instancePath, Service } from '../../../test/support/service/service.ts';
import { eventsOf, type WorkEvent } from '../../support/work.ts';
import { commandLine, descendants } from '../processes/process-tree.ts';
import { endWithUs } from '../processes/processes.ts';
import type { Role, Side } from '../side.ts';

/** The maximum number of records per PutRecords request. */
const recordsPerPut = 500;

/** The complete local service, as started by `npm start`. */
export const milepost: Side = {
  name: 'milepost',
  paced: true,
  facts: {
    disk: 'not synced by the local endpoints (a killed process loses nothing, but a power failure may); synced by Kinesis and DynamoDB in AWS',
    duplicates: 'each event is applied exactly once, identified by its source and id',
    interleaving:
      'sequential PutRecords of 500; shards and batches in parallel, each instance in order; Milepost folds all events of an instance in a batch into one commit',
    otherwise:
      'with a stream, a history of every event, and lists by status; app side: the Lambda functions of the dispatcher and the model; event source: the process that reads the stream and hosts the functions; endpoints: Kinesis and DynamoDB',
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
      if (FailedRecordCount) throw new Error(`the stream rejected ${FailedRecordCount} records`);
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
        if (status !== 0) throw new Error(`the service exited with status ${status}: ${stderr}`);
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
