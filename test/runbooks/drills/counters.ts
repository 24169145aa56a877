import { DynamoDBClient, ListTablesCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { Drill } from '../drill.ts';
import type { World } from '../world/world.ts';
import { created, hasApplied, isLogged, isThrottled } from './expectations.ts';

interface Counts {
  readonly counts: readonly { readonly value: string; readonly instances: number }[];
}
interface List {
  readonly instances: readonly { readonly status: string }[];
}

/** An address without a server. */
const nowhere = 'http://127.0.0.1:1';

/** Matches the output of `milepost doctor` after a failed invocation of the counter function. */
const counterFails = /✖ counter +its latest batch failed: PROBLEM: Function call failed/;

/** The partition keys of the counters of the model `tickets` before the first rebuild. */
const partitions = [0, 1, 2, 3].map((n) => `count#0#totals#tickets#${n}`);

/** Waits until the counts of the model `tickets` match its instances. */
async function isCounted(world: World, transaction: string): Promise<void> {
  await hasApplied(world, 'tickets', transaction, ['e1']);
  const { body } = await world.ask<List>('/api/instances?model=tickets&limit=100');
  await world.eventually<Counts>('/api/counts?model=tickets', ({ counts }) =>
    counts.every(
      ({ value, instances }) =>
        instances === body.instances.filter(({ status }) => status === value).length,
    ),
  );
}

/** Replaces counters with text, which DynamoDB cannot add to. */
async function damageCounters(world: World): Promise<void> {
  const { dynamodb: endpoint, region } = world.ready;
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new DynamoDBClient({ endpoint, region, credentials });
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  const TableName = TableNames.find((name) => name.includes('Counters'));
  for (const pk of partitions) {
    const Item = { pk: { S: pk }, sk: { S: 'totals' }, 'total:status:On sale': { S: 'many' } };
    await client.send(new PutItemCommand({ TableName, Item }));
  }
  client.destroy();
}

/** Faults between the stream of the instances table and the counters. */
export const counterDrills: Readonly<Record<string, Drill>> = {
  CountsBehind: {
    async cause(world) {
      const { environment } = world.functions.named('CounterFunction');
      world.functions.change('CounterFunction', {
        environment: { ...environment, AWS_ENDPOINT_URL_DYNAMODB: nowhere },
      });
      await world.put(created('uncounted'));
      await isLogged(world, 'Counter', /changes to retry/);
    },
    look: [/"message":"changes to retry".*ECONNREFUSED/],
    gone: (world) => isCounted(world, 'uncounted'),
  },

  CounterErrors: {
    async cause(world) {
      await world.project.deployWithout('CounterFunction', 'MILEPOST_COUNTERS_TABLE');
      await world.put(created('unknown-table'));
      await isLogged(world, 'Counter', /MILEPOST_COUNTERS_TABLE is not set/);
    },
    look: [counterFails, /"level":"ERROR".*MILEPOST_COUNTERS_TABLE is not set/],
    gone: (world) => isCounted(world, 'unknown-table'),
  },

  CounterThrottles: {
    async cause(world) {
      world.functions.starve('CounterFunction');
      await world.put(created('counted-late'));
      await isThrottled(world);
    },
    look: [counterFails, /"UnreservedConcurrentExecutions": 100\b/],
    async gone(world) {
      await isCounted(world, 'counted-late');
      world.functions.reservedByOthers = 0;
    },
  },

  LostCounts: {
    async cause(world) {
      await damageCounters(world);
      await world.put(created('miscounted'));
      await isLogged(world, 'Counter', /counters are wrong until they are rebuilt/);
    },
    look: [/"message":"counters are wrong until they are rebuilt"/],
    gone: (world) => isCounted(world, 'miscounted'),
  },
};
