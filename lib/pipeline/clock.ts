import { Duration } from 'aws-cdk-lib';
import type { Rule } from 'aws-cdk-lib/aws-events';
import type { Stream } from 'aws-cdk-lib/aws-kinesis';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { allow } from '../allow.ts';
import type { TrackerMetrics } from '../monitoring/tracker-metrics.ts';
import { ServiceFunction, type ServiceProps } from '../service-function.ts';
import { grantTable, type Tables } from '../storage/tables.ts';
import { runEveryMinute } from './run-every-minute.ts';

export interface ClockProps extends ServiceProps {
  readonly tables: Tables;
  readonly stream: Stream;
  readonly metrics: TrackerMetrics;
}

/** An event source mapping that has been added to its function. */
export interface WatchedSource {
  readonly eventSourceMappingId: string;
  readonly eventSourceMappingArn: string;
}

/**
 * The function that runs every minute. The clock fires due timers, marks late instances, and checks that event source
 * mappings read their streams. If the event stream has gained shards, the clock also raises the number of index
 * partitions.
 */
export class Clock extends ServiceFunction {
  readonly rule: Rule;

  constructor(scope: Construct, id: string, props: ClockProps) {
    super(scope, id, {
      ...props,
      bundle: 'clock',
      description: 'Milepost: fires due timers',
      memorySize: 512,
      // A run must end before the next one starts.
      timeout: Duration.minutes(1),
      environment: {
        ...fireTimersSettings(props),
        MILEPOST_METRICS: props.metrics.namespace,
      },
    });
    grantFireTimers(this.function, props);
    props.tables.grantWritePartitionCounts(this.function);
    props.stream.grant(this.function, 'kinesis:DescribeStreamSummary');

    // A failed run is not retried: the next run fires the remaining timers.
    this.rule = runEveryMinute(this, this.function, 'Milepost: the clock');
  }

  /**
   * Makes each run of the clock check event source mappings. Without this check, a disabled mapping of a quiet stream
   * would go unnoticed, because such a mapping emits no metrics.
   *
   * @param onlyInAws mappings that the local service does not have.
   */
  watch(sources: readonly WatchedSource[], onlyInAws: readonly WatchedSource[]): void {
    const all = [...sources, ...onlyInAws];
    allow(
      this.function,
      ['lambda:GetEventSourceMapping'],
      all.map(({ eventSourceMappingArn }) => eventSourceMappingArn),
    );
    const idsOf = (some: readonly WatchedSource[]) =>
      some.map(({ eventSourceMappingId }) => eventSourceMappingId).join(',');
    this.function.addEnvironment('MILEPOST_EVENT_SOURCES', idsOf(sources));
    this.function.addEnvironment('MILEPOST_EVENT_SOURCES_ONLY_IN_AWS', idsOf(onlyInAws));
  }
}

/** The resources that a function needs to fire timers. */
type TimerResources = Pick<ClockProps, 'tables' | 'stream'>;

/** Returns the environment variables of a function that fires timers. */
export const fireTimersSettings = ({ tables, stream }: TimerResources): Record<string, string> => ({
  MILEPOST_INSTANCES_TABLE: tables.instances.tableName,
  MILEPOST_STREAM: stream.streamName,
});

/** Grants a function permission to fire timers. */
export function grantFireTimers(fn: Function, { tables, stream }: TimerResources): void {
  grantTable(tables.instances, fn, 'BatchGetItem', 'Query', 'PartiQLUpdate');
  tables.grantQueryIndexes(fn, 'by-due');
  stream.grant(fn, 'kinesis:PutRecords');
  stream.encryptionKey?.grantEncrypt(fn);
}
