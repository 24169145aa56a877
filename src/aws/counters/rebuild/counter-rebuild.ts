import type { Clock } from '../../../common/clock.ts';
import {
  type RebuildProgress,
  rebuildCounters,
} from '../../../counter/rebuild/rebuild-counters.ts';
import type { DynamoDb } from '../../client/dynamodb.ts';
import { DynamoDbCounterStore } from '../dynamodb-counter-store.ts';
import { DynamoDbMarkers } from '../dynamodb-markers.ts';
import { DynamoDbCounterStates } from './dynamodb-counter-states.ts';
import { DynamoDbObsoleteCounters } from './dynamodb-obsolete-counters.ts';
import { DynamoDbRowPages } from './dynamodb-row-pages.ts';
import { DynamoDbRowScanner } from './dynamodb-row-scanner.ts';

/** A table and the client that accesses it. */
interface ClientTable {
  readonly client: DynamoDb;
  readonly table: string;
}

/**
 * Creates the function that rebuilds the counters in a table from the status rows in the instances table.
 *
 * @param logLost reports counters that DynamoDB permanently refuses to update.
 */
export function counterRebuild(
  { client, table }: ClientTable,
  instances: ClientTable,
  clock: Clock,
  logLost: (error: unknown) => void,
): (deadline: number) => Promise<RebuildProgress> {
  const dependencies = {
    states: new DynamoDbCounterStates(client, table),
    scanner: new DynamoDbRowScanner(instances.client, instances.table),
    pages: new DynamoDbRowPages(client, table, clock),
    markers: new DynamoDbMarkers(client, table, clock),
    counters: new DynamoDbCounterStore(client, table, clock),
    obsolete: new DynamoDbObsoleteCounters(client, table),
    clock,
    logLost,
  };
  return (deadline) => rebuildCounters(dependencies, deadline);
}
