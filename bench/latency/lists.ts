import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../src/aws/client/dynamodb.ts';
import { DynamoDbInstanceStore } from '../../src/aws/instances/dynamodb-instance-store.ts';
import { partitionOf, statusKey } from '../../src/aws/instances/instance-keys.ts';
import { partitionCountsItem } from '../../src/aws/instances/partition-counts.ts';
import { indexKeysOf } from '../../src/aws/instances/status-index-keys.ts';
import { inChunks } from '../../src/common/chunks.ts';
import { toIso } from '../../src/core/time/timestamp.ts';
import { commitOf } from '../../test/support/data/commits.ts';
import { optionsOrExit } from '../../test/support/options-or-exit.ts';
import { Service } from '../../test/support/service/service.ts';
import { serviceAt } from '../../test/support/service/service-at.ts';
import { machineText } from '../support/section.ts';
import { percentile } from '../support/statistics.ts';
import { figure, table } from '../support/table.ts';

interface Overview {
  readonly instances: { readonly instances: number };
  readonly parked: { readonly instances: number };
}

/*
 * Measures list requests to local services with many instances of one model. There is one service per number of index
 * partitions. Requests alternate between the services, so the load of the machine affects all services equally. A third
 * of the instances are late, one in ten has a different status, one in a hundred has parked events, and each business
 * key belongs to twenty instances.
 */
const values = optionsOrExit(
  {
    instances: { type: 'string', default: '100000' },
    calls: { type: 'string', default: '200' },
    partitions: { type: 'string', default: '8,4' },
  },
  'usage: npx node bench/latency/lists.ts [--instances N] [--calls N] [--partitions N,N]',
);
const instances = Number(values.instances);
const calls = Number(values.calls);
const counts = values.partitions.split(',').map(Number);
const warmUps = 20;
const model = 'service-request';
const now = Date.now();
const name = (n: number) => `SR-${String(n).padStart(7, '0')}`;

const began = performance.now();
const services: Service[] = [];
for (const count of counts) services.push(await filledService(count));
const seconds = (performance.now() - began) / 1_000;
console.log(`${instances} instances per service after ${figure(seconds)} s\n`);

const random = () => name(Math.floor(Math.random() * instances));
const lists: Readonly<Record<string, () => string>> = {
  'all instances, newest first': () => '',
  'of a model': () => `?model=${model}`,
  'of a model, with a status': () => `?model=${model}&status=Scheduled`,
  'with a status': () => '?status=Received',
  late: () => '?late=true',
  'late, of a model': () => `?model=${model}&late=true`,
  'with parked events': () => '?parked=true',
  'by business key': () => `?key=customer:${Math.floor((Math.random() * instances) / 20)}`,
  'by id prefix, in all models, one match': () => `?q=${random()}`,
  'by id prefix, in all models, up to 100 matches': () => `?q=${random().slice(0, -2)}`,
  'by id prefix, in a model': () => `?model=${model}&q=${random().slice(0, -2)}`,
  'in fixed order': () => `?model=${model}&order=fixed`,
  'a hundred per page': () => '?limit=100',
};

const cursors = new Map<Service, string | undefined>();
const rows: Record<string, readonly number[]> = {};
for (const [title, query] of Object.entries(lists))
  rows[title] = await measure(() => `/api/instances${query()}`);
rows['page after page'] = await measure((service) => {
  const cursor = cursors.get(service);
  return `/api/instances${cursor ? `?cursor=${encodeURIComponent(cursor)}` : ''}`;
});
rows['overview'] = await measure(() => '/api/overview');
for (const service of services) await service.stop();

const columns = counts.flatMap((count) => [
  `${count} partitions: p50, ms`,
  `${count} partitions: p95, ms`,
]);
console.log(
  table(
    ['list', ...columns, 'ratio of p50', 'ratio of p95'],
    Object.entries(rows).map(([title, times]) => [
      title,
      ...times.map(figure),
      figure(times.at(-2)! / times[0]!),
      figure(times.at(-1)! / times[1]!),
    ]),
  ),
);
console.log(`\n${machineText()}`);

/** Starts a service with the given number of index partitions and writes the instances to its tables. */
async function filledService(count: number): Promise<Service> {
  const service = await Service.start();
  const { dynamodb: endpoint, region } = service.ready;
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const tables = await new DynamoDB({ endpoint, region, credentials }).listTables({});
  const instancesTable = tables.TableNames!.find((each) => each.includes('Instances'))!;
  const client = dynamoDb(serviceAt(endpoint));
  await client.putItem({
    TableName: instancesTable,
    // In earlier versions of Milepost, every installation had eight partitions.
    Item: partitionCountsItem({ first: count === 8 ? 8 : 2, before: count, count, from: 0 }),
  });
  const store = new DynamoDbInstanceStore(client, instancesTable);
  const all = Array.from({ length: instances }, (_, n) => n);
  for (const some of inChunks(all, 500)) {
    const commits = some.map(commitOfInstance);
    const answers = [...(await store.commit(commits)), ...(await store.writeStatus(commits))];
    for (const answer of answers) if ('error' in answer) throw answer.error;
  }
  for (const n of all.filter((each) => each % 100 === 0)) await park(n);
  // Wait for the counts. Otherwise, the counter function would still be using the processor during the measurement.
  await service.eventually<Overview>(
    '/api/overview',
    ({ instances: all, parked }) =>
      all.instances === instances && parked.instances === Math.ceil(instances / 100),
    600_000,
  );
  return service;

  async function park(n: number): Promise<void> {
    const instance = { model, transaction: name(n) };
    const { parkedShard, parkedKey } = indexKeysOf('parked', instance, toIso(now - n), {
      count,
      byTransaction: count,
    });
    await client.updateItem({
      TableName: instancesTable,
      Key: { pk: { S: partitionOf(instance) }, sk: { S: statusKey } },
      UpdateExpression: 'SET parked = :one, parkedShard = :shard, parkedKey = :key',
      ExpressionAttributeValues: { ':one': { N: '1' }, ':shard': parkedShard, ':key': parkedKey },
    });
  }
}

function commitOfInstance(n: number) {
  return commitOf({ model, transaction: name(n) }, 1, {
    at: toIso(now - (instances - n)),
    lateAt: n % 3 === 0 ? toIso(now - n) : null,
    description: {
      status: n % 10 === 0 ? 'Scheduled' : 'Received',
      keys: [`customer:${Math.floor(n / 20)}`],
    },
  });
}

/** Measures requests to each service in turn. Returns the p50 and the p95 of each service, in milliseconds. */
async function measure(pathOf: (service: Service) => string): Promise<number[]> {
  const times = new Map(services.map((service) => [service, [] as number[]]));
  for (let call = -warmUps; call < calls; call++)
    for (const service of services) {
      const path = pathOf(service);
      const start = performance.now();
      const { status, body } = await service.ask<{ readonly cursor?: string }>(path);
      if (call >= 0) times.get(service)!.push(performance.now() - start);
      if (status !== 200) throw new Error(`${path} returned ${status} ${JSON.stringify(body)}`);
      cursors.set(service, body.cursor);
    }
  return [...times.values()].flatMap((each) => [percentile(each, 0.5), percentile(each, 0.95)]);
}
