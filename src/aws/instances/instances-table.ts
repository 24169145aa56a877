import type { Clock } from '../../common/clock.ts';
import type { DynamoDb } from '../client/dynamodb.ts';

/** The instances table and the dependencies of its readers and writers. */
export interface InstancesTable {
  readonly client: DynamoDb;
  /** The name of the table. */
  readonly table: string;
  /** Measures the delays between attempts and the age of cached settings. */
  readonly clock: Clock;
}
