import { setTimeout as pause } from 'node:timers/promises';
import { instancePath, Service } from '../../test/support/service/service.ts';

/*
 * Measures a map-reduce job of 100,000 numbers in 100 chunks on the local service, from posting the job until its
 * status is `Reduced`, and checks the result. Usage: `npx node bench/load/map-reduce.ts [jobs]`
 */
const jobs = Number(process.argv[2] ?? 5);
// The numbers have one digit so that the job's event does not exceed the limit of 256 KB.
const items = Array.from({ length: 100_000 }, (_, i) => (i * 7) % 10);
const sum = items.reduce((a, b) => a + b, 0);
const service = await Service.start();

async function submittedToReduced(transactionid: string): Promise<number> {
  const start = performance.now();
  await service.post({
    id: 'e1',
    type: 'job.submitted',
    modelid: 'map-reduce',
    transactionid,
    data: { items, chunks: 100 },
  });
  for (;;) {
    const { status, body } = await service.ask<{ status: string; state: { result?: number } }>(
      instancePath('map-reduce', transactionid),
    );
    if (status === 200 && body.status === 'Reduced') {
      if (body.state.result !== sum)
        throw new Error(`the result must be ${sum}; got ${body.state.result}`);
      return performance.now() - start;
    }
    await pause(5);
  }
}

const times: number[] = [];
for (let job = 0; job < jobs; job++) times.push(await submittedToReduced(`J-${job}`));
await service.stop();
const shown = times.map((time) => Math.round(time)).join(', ');
console.log(`100,000 numbers in 100 chunks, submitted to reduced, ms, per job: ${shown}`);
