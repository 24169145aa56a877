import { Duration } from 'aws-cdk-lib';
import {
  type EventSourceMapping,
  FilterCriteria,
  FilterRule,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { statusKey } from '../../src/aws/instances/instance-keys.ts';
import type { TrackerMetrics } from '../monitoring/tracker-metrics.ts';
import { ServiceFunction, type ServiceProps } from '../service-function.ts';
import { grantStreamRead, grantTable, streamArnOf, type Tables } from '../storage/tables.ts';

export interface CounterProps extends ServiceProps {
  readonly tables: Tables;
  readonly metrics: TrackerMetrics;
}

/** The function that counts instances from the stream of the instances table. */
export class Counter extends ServiceFunction {
  /** The event source mapping that passes changes to status rows to the function. */
  readonly source: EventSourceMapping;

  constructor(scope: Construct, id: string, props: CounterProps) {
    const { instances, counters } = props.tables;
    super(scope, id, {
      ...props,
      bundle: 'counter',
      description: 'Milepost: counts instances',
      memorySize: 512,
      timeout: Duration.minutes(1),
      environment: {
        MILEPOST_COUNTERS_TABLE: counters.tableName,
        MILEPOST_METRICS: props.metrics.namespace,
      },
    });
    grantTable(counters, this.function, 'GetItem', 'BatchGetItem', 'UpdateItem', 'PartiQLInsert');
    grantStreamRead(instances, this.function);
    this.source = this.function.addEventSourceMapping('Rows', {
      eventSourceArn: streamArnOf(instances),
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 1_000,
      // A batch updates each counter once, so larger batches cost less.
      maxBatchingWindow: Duration.seconds(1),
      // Each counter stores its position in each shard, so batches of a shard must not overlap.
      parallelizationFactor: 1,
      // Only batches of a tumbling window contain the id of their shard. Milepost does not use the window's state.
      tumblingWindow: Duration.minutes(15),
      reportBatchItemFailures: true,
      // Lambda retries while the table's stream keeps the records, for one day. An alarm goes off long before that.
      retryAttempts: -1,
      filters: [
        FilterCriteria.filter({ dynamodb: { Keys: { sk: { S: FilterRule.isEqual(statusKey) } } } }),
      ],
    });
    // Lambda rejects the mapping if the role cannot read the stream yet.
    this.source.node.addDependency(this.role);
  }
}
