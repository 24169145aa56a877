import { setTimeout as pause } from 'node:timers/promises';
import { PutRecordCommand } from '@aws-sdk/client-kinesis';
import { instancePath, Service } from '../../test/support/service/service.ts';
import { percentile } from '../support/statistics.ts';

/*
 * Measures how long it takes from putting a record with the AWS SDK until the API returns the effect, on an otherwise
 * idle service. Usage: `npx node bench/latency/put-to-shown.ts [count]`
 */
const count = Number(process.argv[2] ?? 200);
const service = await Service.start();
const { kinesis } = service;

async function putToShown(transactionid: string): Promise<number> {
  const event = { id: 'e1', type: 'account.created', modelid: 'activation', transactionid };
  const start = performance.now();
  await kinesis.send(
    new PutRecordCommand({
      StreamName: service.ready.stream,
      PartitionKey: transactionid,
      Data: Buffer.from(JSON.stringify(event)),
    }),
  );
  while ((await service.ask(instancePath('activation', transactionid))).status !== 200)
    await pause(5);
  return performance.now() - start;
}

for (let i = 0; i < 20; i++) await putToShown(`warm-${i}`);
const times: number[] = [];
for (let i = 0; i < count; i++) {
  times.push(await putToShown(`T-${i}`));
  await pause(Math.random() * 100);
}
await service.stop();
const at = (share: number) => Math.round(percentile(times, share));
console.log(`put to shown, ms, ${count} times: median ${at(0.5)}, p99 ${at(0.99)}, max ${at(1)}`);
