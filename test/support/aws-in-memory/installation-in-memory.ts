import type { Consumer, Installation } from '../../../src/api/checks/installation.ts';
import type { CloudWatch, MetricAlarm } from '../../../src/aws/client/cloudwatch.ts';
import type { DynamoDb } from '../../../src/aws/client/dynamodb.ts';
import type { EventBridgeRules } from '../../../src/aws/client/eventbridge.ts';
import type { KinesisDescriber } from '../../../src/aws/client/kinesis.ts';
import { ServiceError } from '../../../src/aws/client/transport/service-error.ts';
import { CloudWatchMonitoring } from '../../../src/aws/installation/cloudwatch-monitoring.ts';
import { DynamoDbDueTimers } from '../../../src/aws/installation/dynamodb-due-timers.ts';
import { EventBridgeClockRule } from '../../../src/aws/installation/eventbridge-clock-rule.ts';
import { KinesisStreamReader } from '../../../src/aws/installation/kinesis-stream-reader.ts';
import type { Clock } from '../../../src/common/clock.ts';
import type {
  EventSourceCondition,
  EventSourceReader,
} from '../../../src/stores/event-source-reader.ts';
import { instancesTable } from './instances-in-memory.ts';

type RuleState = 'ENABLED' | 'DISABLED';
type Describe = Awaited<ReturnType<KinesisDescriber['describeStreamSummary']>>;
type StreamDescription = Partial<NonNullable<Describe['StreamDescriptionSummary']>>;

const healthyMapping: EventSourceCondition = {
  state: 'Enabled',
  lastProcessingResult: 'OK',
};
const healthyStream: StreamDescription = {
  StreamARN: 'arn:aws:kinesis:us-east-1:000000000000:stream/milepost-events',
  StreamStatus: 'ACTIVE',
  OpenShardCount: 4,
  RetentionPeriodHours: 168,
};

/** A healthy installation on in-memory AWS clients. Tests change what AWS reports about it. */
export class InstallationInMemory implements Installation {
  readonly version = '1.2.3';
  readonly consumers: Consumer[] = [
    consumer('dispatcher', 'milepost-events'),
    consumer('publisher', 'milepost-events-notifications'),
    consumer('archiver'),
  ];
  readonly notificationStream = 'milepost-events-notifications';
  /** The event source mappings by UUID. */
  readonly mappingsByUuid = new Map(
    this.consumers.map(({ mapping }) => [mapping, healthyMapping] as const),
  );
  readonly streamsByName = new Map(
    this.consumers.flatMap(({ stream }) =>
      stream === undefined ? [] : [[stream, healthyStream] as const],
    ),
  );
  /** The values of the latest minutes by metric and dimension (`IteratorAge dispatcher-fn`), newest first. */
  readonly metrics = new Map<string, number[]>();
  /** The states of the EventBridge rules, by name. */
  readonly rules = new Map<string, RuleState>([['clock-rule', 'ENABLED']]);
  alarmsOfStack: MetricAlarm[] = [
    { AlarmName: 'Milepost-Parked', StateValue: 'OK', AlarmActions: ['arn:of:topic'] },
  ];
  /** A hook before each AWS call. If it throws, the call fails. */
  interfere: (operation: string) => Promise<void> | void = () => {};

  readonly mappings: EventSourceReader;
  readonly streams: KinesisStreamReader;
  readonly dueTimers: DynamoDbDueTimers;
  clockRule: EventBridgeClockRule | undefined;
  monitoring: CloudWatchMonitoring | undefined;

  constructor(clock: Clock, database: DynamoDb) {
    const kinesis: KinesisDescriber = {
      describeStreamSummary: async ({ StreamName }) => {
        await this.interfere('DescribeStreamSummary');
        const StreamDescriptionSummary = this.streamsByName.get(StreamName) ?? missing();
        return { StreamDescriptionSummary } as Describe;
      },
    };
    const client: CloudWatch = {
      getMetricData: async ({ MetricDataQueries, EndTime }) => {
        await this.interfere('GetMetricData');
        return {
          MetricDataResults: MetricDataQueries.map(({ Id, MetricStat: { Metric } }) => {
            const name = `${Metric.MetricName} ${Metric.Dimensions[0]?.Value}`;
            const Values = this.metrics.get(name) ?? [];
            return { Id, Values, Timestamps: Values.map((_, minute) => EndTime - 60 * minute) };
          }),
        };
      },
      describeAlarms: async ({ MaxRecords, NextToken = '0', AlarmNamePrefix }) => {
        await this.interfere('DescribeAlarms');
        const start = Number(NextToken);
        const end = start + MaxRecords;
        const all = this.alarmsOfStack.filter((each) =>
          each.AlarmName?.startsWith(AlarmNamePrefix),
        );
        const more = end < all.length ? { NextToken: String(end) } : {};
        return { MetricAlarms: all.slice(start, end), ...more };
      },
    };
    this.mappings = {
      read: async (uuid) => {
        await this.interfere('GetEventSourceMapping');
        return this.mappingsByUuid.get(uuid);
      },
    };
    this.streams = new KinesisStreamReader(kinesis);
    this.dueTimers = new DynamoDbDueTimers(database, instancesTable);
    const rules: EventBridgeRules = {
      describeRule: async ({ Name }) => {
        await this.interfere('DescribeRule');
        return { State: this.rules.get(Name) ?? missing() };
      },
    };
    const rule = { name: 'clock-rule', logGroup: 'clock-logs' };
    this.clockRule = new EventBridgeClockRule(rules, rule);
    this.monitoring = new CloudWatchMonitoring({
      client,
      alarmPrefix: 'Milepost-',
      clock,
    });
  }

  /** Removes the parts that exist only in AWS. */
  moveToOneMachine(): void {
    this.clockRule = undefined;
    this.monitoring = undefined;
  }

  readonly awsCommand = (command: string) => `${command} --region eu-west-1`;
}

const consumer = (name: Consumer['name'], stream?: string): Consumer => ({
  name,
  mapping: `${name}-uuid`,
  functionName: `${name}-fn`,
  logGroup: `${name}-logs`,
  ...(stream !== undefined && { stream }),
});

function missing(): never {
  throw new ServiceError('ResourceNotFoundException', 'The resource does not exist.', 404);
}
