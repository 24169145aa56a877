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

/** The function that fires timers, every minute. */
export class Clock extends ServiceFunction {
  constructor(scope: Construct, id: string, props: ClockProps) {
    const { tables, stream } = props;
    super(scope, id, {
      ...props,
      bundle: 'clock',
      description: 'Milepost: fires the timers that are due',
      memorySize: 512,
      // As long as a run has until the next one starts.
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

    // A run that failed is not done again: the next one does what it left.
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
