import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { DynamoDbCounterStore } from '../src/aws/counters/dynamodb-counter-store.ts';
import { DynamoDbMarkers } from '../src/aws/counters/dynamodb-markers.ts';
import { DynamoDbCounterStates } from '../src/aws/counters/rebuild/dynamodb-counter-states.ts';
import { streamedRows } from '../src/aws/counters/streamed-rows.ts';
import { systemClock } from '../src/common/clock.ts';
import { MilepostError } from '../src/core/errors.ts';
import { type CounterDependencies, countChanges } from '../src/counter/count-changes.ts';
import { clients } from './support/clients.ts';
import { lostCountMetric } from './support/monitoring/metrics.ts';
import { setting } from './support/settings.ts';

const database = clients.dynamoDb();
const table = setting('MILEPOST_COUNTERS_TABLE');
const states = new DynamoDbCounterStates(database, table);
const dependencies: CounterDependencies = {
  readGenerations: async () => (await states.read()).state,
  counters: new DynamoDbCounterStore(database, table, systemClock),
  markers: new DynamoDbMarkers(database, table, systemClock),
  logRetry: (reason) => console.error({ message: 'changes to retry', reason }),
  logLost: (reason) => {
    console.error({ message: 'counters are wrong until they are rebuilt', reason });
    lostCountMetric();
  },
};

/**
 * The event that Lambda sends for an event source mapping with a tumbling window. It contains the shard's id.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-windows.html
 */
interface WindowEvent extends Partial<DynamoDBStreamEvent> {
  readonly shardId?: string;
}

/**
 * The response to an event with a tumbling window. Lambda passes its `state` to the next invocation for the window. The
 * `state` is empty, because the counts are in the counters table.
 */
interface WindowResponse extends DynamoDBBatchResponse {
  readonly state: Record<string, never>;
}

/**
 * Counts the changes to status rows. The records of a table's stream do not contain the id of their shard. The event
 * source mapping therefore has a tumbling window, which adds the shard id to each event.
 */
export async function handler({ Records = [], shardId }: WindowEvent): Promise<WindowResponse> {
  if (shardId === undefined)
    throw new MilepostError(
      'bad-request',
      'the event has no `shardId`; set `TumblingWindowInSeconds` of the event source mapping to more than 0',
    );
  const again = await countChanges(dependencies, shardId, streamedRows(Records));
  return { state: {}, batchItemFailures: again === undefined ? [] : [{ itemIdentifier: again }] };
}
