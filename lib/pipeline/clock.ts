import { Duration } from 'aws-cdk-lib';
import type { Rule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Stream } from 'aws-cdk-lib/aws-kinesis';
import type { Construct } from 'constructs';
import type { TrackerMetrics } from '../monitoring/tracker-metrics.ts';
import { type FunctionProps, ServiceFunction } from '../service-function.ts';
import { grantTable, type Tables } from '../storage/tables.ts';
import { runEveryMinute } from './run-every-minute.ts';

export interface ClockProps extends FunctionProps {
  readonly bundles: string;
  readonly tables: Tables;
  readonly stream: Stream;
  readonly metrics: TrackerMetrics;
}

/** An event source mapping that has been added to its function. */
export interface WatchedSource {
  readonly eventSourceMappingId: string;
  readonly eventSourceMappingArn: string;
}

/** The function that fires due timers every minute, and checks that event source mappings read their streams. */
export class Clock extends ServiceFunction {
  readonly rule: Rule;

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
        MILEPOST_METRICS: props.metrics.namespace,
      },
    });
    grantTable(tables.instances, this.function, 'BatchGetItem', 'PartiQLUpdate');
    tables.grantQueryIndexes(this.function, 'by-due');
    stream.grant(this.function, 'kinesis:PutRecords');
    stream.encryptionKey?.grantEncrypt(this.function);

    // A failed run is not retried: the next run fires the remaining timers.
    this.rule = runEveryMinute(this, this.function, 'Milepost: the clock');
  }

  /**
   * Checks these event source mappings in each run. Without this check, a disabled mapping of a quiet stream remains
   * unnoticed, because it emits no metrics.
   *
   * @param archiveSource the mapping of the archiver, which the local service does not have
   */
  watch(sources: readonly WatchedSource[], archiveSource: WatchedSource | undefined): void {
    const all = [...sources, ...(archiveSource ? [archiveSource] : [])];
    this.function.addToRolePolicy(
      new PolicyStatement({
        actions: ['lambda:GetEventSourceMapping'],
        resources: all.map(({ eventSourceMappingArn }) => eventSourceMappingArn),
      }),
    );
    const ids = sources.map(({ eventSourceMappingId }) => eventSourceMappingId);
    this.function.addEnvironment('MILEPOST_EVENT_SOURCES', ids.join(','));
    if (archiveSource)
      this.function.addEnvironment('MILEPOST_ARCHIVE_SOURCE', archiveSource.eventSourceMappingId);
  }
}
