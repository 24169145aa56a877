import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Aws, Stack, Token, Validations } from 'aws-cdk-lib';
import type { Stream } from 'aws-cdk-lib/aws-kinesis';
import { packageFolder } from '../../src/package-folder.ts';
import { allow } from '../allow.ts';
import type { Clock, WatchedSource } from '../pipeline/clock.ts';
import type { Counter } from '../pipeline/counter.ts';
import type { Dispatcher } from '../pipeline/dispatcher.ts';
import type { Publisher } from '../pipeline/publisher.ts';
import type { ServiceFunction } from '../service-function.ts';
import type { Archive } from '../storage/archive.ts';
import type { Tables } from '../storage/tables.ts';
import type { Api } from './http-api.ts';

/** The parts of a tracker that its API checks for `milepost doctor`. */
export interface CheckedTracker {
  readonly stream: Stream;
  readonly notificationStream?: Stream;
  readonly dispatcher: Dispatcher;
  readonly publisher?: Publisher;
  readonly counter: Counter;
  readonly archive?: Archive;
  readonly clock: Clock;
  readonly tables: Tables;
}

/**
 * Lets the API check the tracker. Passes the names of the checked parts to the API's function and grants the function
 * permission to read the state of these parts, but not their records.
 */
export function addChecks(
  api: Api,
  {
    stream,
    notificationStream,
    dispatcher,
    publisher,
    counter,
    archive,
    clock,
    tables,
  }: CheckedTracker,
): void {
  const { function: fn, role } = api;
  const consumers = [
    { ...consumer('dispatcher', dispatcher, dispatcher.source), stream: stream.streamName },
    ...(publisher && notificationStream
      ? [
          {
            ...consumer('publisher', publisher, publisher.source),
            stream: notificationStream.streamName,
          },
        ]
      : []),
    consumer('counter', counter, counter.source),
  ];
  fn.addEnvironment('MILEPOST_VERSION', milepostVersion());
  fn.addEnvironment(
    'MILEPOST_CONSUMERS',
    JSON.stringify(consumers.map(({ settings, stream }) => ({ ...settings, stream }))),
  );
  const archiver = archive && consumer('archiver', archive.archiver, archive.source);
  fn.addEnvironment(
    'MILEPOST_ONLY_IN_AWS',
    JSON.stringify({
      alarmPrefix: `${Aws.STACK_NAME}-`,
      clockRule: { name: clock.rule.ruleName, logGroup: clock.logGroup.logGroupName },
      ...(archiver && { archiver: archiver.settings }),
    }),
  );

  const mappings = [...consumers, ...(archiver ? [archiver] : [])].map(({ arn }) => arn);
  allow(fn, ['lambda:GetEventSourceMapping'], mappings);
  for (const each of [stream, ...(notificationStream ? [notificationStream] : [])])
    each.grant(fn, 'kinesis:DescribeStreamSummary');
  allow(fn, ['events:DescribeRule'], [clock.rule.ruleArn]);
  tables.grantQueryIndexes(fn, 'by-due');
  const anyAlarm = Stack.of(api).formatArn({ service: 'cloudwatch', resource: 'alarm:*' });
  allow(fn, ['cloudwatch:GetMetricData'], ['*']);
  allow(fn, ['cloudwatch:DescribeAlarms'], [anyAlarm]);
  Validations.of(role).acknowledge(
    {
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'CloudWatch and X-Ray do not support resource-level permissions for these actions.',
    },
    {
      id: `AwsSolutions-IAM5[Resource::${anyAlarmInFindings(Stack.of(api))}]`,
      reason: 'Listing alarms requires permission for all alarms. The permission is read-only.',
    },
  );
}

/**
 * Returns the ARN of all alarms as it appears in cdk-nag's findings: with the account and region of the stack or, if
 * the stack can be deployed to any account or region, with the names of CloudFormation's parameters.
 */
function anyAlarmInFindings({ partition, region, account }: Stack): string {
  const valueOf = (value: string, parameter: string) =>
    Token.isUnresolved(value) ? `<AWS::${parameter}>` : value;
  return [
    'arn',
    valueOf(partition, 'Partition'),
    'cloudwatch',
    valueOf(region, 'Region'),
    valueOf(account, 'AccountId'),
    'alarm:*',
  ].join(':');
}

/**
 * A consumer, as passed to the API's function. `stream` is the name of its Kinesis stream; undefined for a consumer of
 * a DynamoDB stream.
 */
interface CheckedConsumer {
  readonly arn: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly stream?: string;
}

function consumer(
  name: string,
  { function: fn, logGroup }: ServiceFunction,
  mapping: WatchedSource,
): CheckedConsumer {
  return {
    arn: mapping.eventSourceMappingArn,
    settings: {
      name,
      mapping: mapping.eventSourceMappingId,
      functionName: fn.functionName,
      logGroup: logGroup.logGroupName,
    },
  };
}

function milepostVersion(): string {
  const manifest = readFileSync(join(packageFolder, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
