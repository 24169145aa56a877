import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Stream } from 'aws-cdk-lib/aws-kinesis';
import type { Construct } from 'constructs';
import { type FunctionProps, ServiceFunction } from '../service-function.ts';
import { grantTable, type Tables } from '../storage/tables.ts';

export interface ClockProps extends FunctionProps {
  readonly bundles: string;
  readonly tables: Tables;
  readonly stream: Stream;
}

/** The function that fires due timers every minute. */
export class Clock extends ServiceFunction {
  constructor(scope: Construct, id: string, props: ClockProps) {
    const { tables, stream } = props;
    super(scope, id, {
      ...props,
      bundle: 'clock',
      description: 'Milepost: fires due timers',
      memorySize: 512,
      // A run must end before the next one starts.
      timeout: Duration.minutes(1),
      environment: {
        MILEPOST_INSTANCES_TABLE: tables.instances.tableName,
        MILEPOST_STREAM: stream.streamName,
      },
    });
    grantTable(tables.instances, this.function, 'BatchGetItem', 'PartiQLUpdate');
    tables.grantQueryIndexes(this.function, 'by-due');
    stream.grant(this.function, 'kinesis:PutRecords');
    stream.encryptionKey?.grantEncrypt(this.function);

    // A failed run is not retried: the next run processes the remaining timers.
    this.function.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    const schedule = new Rule(this, 'Schedule', {
      description: 'Milepost: the clock',
      schedule: Schedule.rate(Duration.minutes(1)),
    });
    schedule.addTarget(
      new LambdaFunction(this.function, { retryAttempts: 0, maxEventAge: Duration.minutes(1) }),
    );
  }
}
