import type { ClockRule, Consumer, Installation } from '../../src/api/checks/installation.ts';
import type { DynamoDb } from '../../src/aws/client/dynamodb.ts';
import type { KinesisDescriber } from '../../src/aws/client/kinesis.ts';
import { CloudWatchMonitoring } from '../../src/aws/installation/cloudwatch-monitoring.ts';
import { DynamoDbDueTimers } from '../../src/aws/installation/dynamodb-due-timers.ts';
import { EventBridgeClockRule } from '../../src/aws/installation/eventbridge-clock-rule.ts';
import { KinesisStreamReader } from '../../src/aws/installation/kinesis-stream-reader.ts';
import { systemClock } from '../../src/common/clock.ts';
import { clients } from './clients.ts';
import { optionalSetting, setting } from './settings.ts';

/** The parts of an installation that exist only in AWS, as the CDK app describes them. */
interface OnlyInAws {
  readonly alarmPrefix: string;
  readonly clockRule: Pick<ClockRule, 'name' | 'logGroup'>;
  readonly archiver?: Consumer;
}

/** Creates the `Installation` that the checks inspect, as the CDK app describes it in environment variables. */
export function installation({
  database,
  kinesis,
  table,
}: {
  readonly database: DynamoDb;
  readonly kinesis: KinesisDescriber;
  /** The instances table. */
  readonly table: string;
}): Installation {
  const consumers = JSON.parse(setting('MILEPOST_CONSUMERS')) as Consumer[];
  const text = optionalSetting('MILEPOST_ONLY_IN_AWS');
  const onlyInAws = text === undefined ? undefined : (JSON.parse(text) as OnlyInAws);
  return {
    version: setting('MILEPOST_VERSION'),
    consumers: [...consumers, ...(onlyInAws?.archiver ? [onlyInAws.archiver] : [])],
    notificationStream: optionalSetting('MILEPOST_NOTIFICATION_STREAM'),
    mappings: clients.eventSourceMappings(),
    streams: new KinesisStreamReader(kinesis),
    dueTimers: new DynamoDbDueTimers(database, table),
    clockRule: onlyInAws && new EventBridgeClockRule(clients.eventBridge(), onlyInAws.clockRule),
    monitoring:
      onlyInAws &&
      new CloudWatchMonitoring({
        client: clients.cloudWatch(),
        alarmPrefix: onlyInAws.alarmPrefix,
        clock: systemClock,
      }),
    awsCommand,
  };
}

/** Adds `--region` to an AWS CLI command and, in the local service, also `--endpoint-url`. */
function awsCommand(command: string): string {
  const [, service = ''] = command.split(' ');
  const endpoint =
    optionalSetting(`AWS_ENDPOINT_URL_${service.toUpperCase()}`) ??
    optionalSetting('AWS_ENDPOINT_URL');
  const options = [
    `--region ${setting('AWS_REGION')}`,
    ...(endpoint === undefined ? [] : [`--endpoint-url ${endpoint}`]),
  ];
  return [command, ...options].join(' ');
}
