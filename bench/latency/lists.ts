import { setTimeout as pause } from 'node:timers/promises';
import { PutRecordsCommand } from '@aws-sdk/client-kinesis';
import { Service } from '../../test/support/service/service.ts';

/*
 * Measures list requests to the local stack with many instances. A third of the instances are late, and one in ten has
 * a different status. Usage: `npx node bench/latency/lists.ts [instances] [calls]`
 */
const instances = Number(process.argv[2] ?? 100_000);
const calls = Number(process.argv[3] ?? 200);
const perRequest = 500;
const model = 'service-request';

const service = await Service.start();
const name = (n: number) => `SR-${String(n).padStart(7, '0')}`;

function eventOf(n: number) {
  // A request is late if it was received two days ago and is not verified yet.
  const received = Date.now() - (n % 3 === 0 ? 48 : 0) * 3_600_000;
  const milestone = n % 10 === 0 ? 'scheduled' : 'received';
  return {
    id: 'e1',
    source: 'bench',
    type: 'milestone.reached',
    modelid: model,
    transactionid: name(n),
    time: new Date(received).toISOString(),
    data: { milestone },
  };
}

const began = performance.now();
for (let from = 0; from < instances; from += perRequest) {
  const count = Math.min(perRequest, instances - from);
  const { FailedRecordCount } = await service.kinesis.send(
    new PutRecordsCommand({
      StreamName: service.ready.stream,
      Records: Array.from({ length: count }, (_, i) => ({
        PartitionKey: name(from + i),
        Data: Buffer.from(JSON.stringify(eventOf(from + i))),
      })),
    }),
  );
  if (FailedRecordCount) throw new Error(`${FailedRecordCount} records were rejected`);
}
const shown = async (n: number) =>
  (await service.ask(`/api/instances/${model}/${name(n)}`)).status === 200;
for (let n = instances - 1; n >= Math.max(0, instances - 1000); n--)
  while (!(await shown(n))) await pause(200);
const seconds = (performance.now() - began) / 1000;
console.log(`${instances} instances were readable after ${seconds.toFixed(0)} s`);

const random = () => name(Math.floor(Math.random() * instances));
const lists: Readonly<Record<string, () => string>> = {
  'all, newest first': () => '',
  'of a model': () => `?model=${model}`,
  'of a model in a status': () => `?model=${model}&status=Scheduled`,
  'in a status': () => '?status=Received',
  late: () => '?late=true',
  'of a model, late': () => `?model=${model}&late=true`,
  'by id prefix, one match': () => `?q=${random()}`,
  'by id prefix, up to 100 matches': () => `?model=${model}&q=${random().slice(0, -2)}`,
  'a hundred a page': () => '?limit=100',
};

interface Listed {
  readonly instances: readonly unknown[];
  readonly cursor?: string;
}

let cursor: string | undefined;
console.log('\n| list | rows | p50 ms | p95 ms | most |\n|---|--:|--:|--:|--:|');
for (const [title, query] of Object.entries(lists)) await measure(title, query);
await measure('page after page', () => (cursor ? `?cursor=${encodeURIComponent(cursor)}` : ''));
await service.stop();

async function measure(title: string, query: () => string): Promise<void> {
  const times: number[] = [];
  let rows = 0;
  for (let call = -20; call < calls; call++) {
    const path = `/api/instances${query()}`;
    const start = performance.now();
    const { body } = await service.ask<Listed>(path);
    if (call >= 0) times.push(performance.now() - start);
    ({ cursor } = body);
    rows = body.instances.length;
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(share * (times.length - 1))]!.toFixed(0);
  console.log(`| ${title} | ${rows} | ${at(0.5)} | ${at(0.95)} | ${at(1)} |`);
}
