import { Duration } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Stream } from 'aws-cdk-lib/aws-kinesis';
import type { Construct } from 'constructs';
import { partitionOf } from '../../src/aws/instances/instance-keys.ts';
import { canaryModel } from '../../src/canary/canary-model.ts';
import { allow } from '../allow.ts';
import type { TrackerMetrics } from '../monitoring/tracker-metrics.ts';
import { ServiceFunction, type ServiceProps } from '../service-function.ts';
import type { Tables } from '../storage/tables.ts';
import { runEveryMinute } from './run-every-minute.ts';

export interface CanaryProps extends ServiceProps {
  readonly tables: Tables;
  readonly stream: Stream;
  readonly metrics: TrackerMetrics;
}

/**
 * The function that sends an event through the pipeline every minute and records how long it takes until the event's
 * status can be read. The function's permissions allow it only to put events and to read its own instances.
 */
export class Canary extends ServiceFunction {
  constructor(scope: Construct, id: string, props: CanaryProps) {
    const { tables, stream, metrics } = props;
    super(scope, id, {
      ...props,
      bundle: 'canary',
      description: 'Milepost: sends an event through the pipeline every minute',
      memorySize: 256,
      // A run must end before the next one starts.
      timeout: Duration.minutes(1),
      environment: {
        MILEPOST_INSTANCES_TABLE: tables.instances.tableName,
        MILEPOST_STREAM: stream.streamName,
        MILEPOST_METRICS: metrics.namespace,
      },
    });
    this.#grantReadOwnInstances(tables.instances);
    stream.grant(this.function, 'kinesis:PutRecords');
    stream.encryptionKey?.grantEncrypt(this.function);
    runEveryMinute(this, this.function, 'Milepost: the canary');
  }

  /** @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html */
  #grantReadOwnInstances(instances: Table): void {
    allow(this.function, ['dynamodb:Query', 'dynamodb:BatchGetItem'], [instances.tableArn], {
      'ForAllValues:StringLike': {
        'dynamodb:LeadingKeys': [partitionOf({ model: canaryModel.id, transaction: '*' })],
      },
    });
    instances.encryptionKey?.grantDecrypt(this.function);
  }
}
