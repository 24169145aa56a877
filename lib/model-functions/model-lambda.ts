import { CustomResource, Duration, Stack } from 'aws-cdk-lib';
import type { Stream } from 'aws-cdk-lib/aws-kinesis';
import type { Function, Version } from 'aws-cdk-lib/aws-lambda';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { PersonalData } from '../keys/personal-data.ts';
import type { SigningKeys } from '../keys/signing-keys.ts';
import type { TrackerMetrics } from '../monitoring/tracker-metrics.ts';
import { type FunctionProps, tracingSettings } from '../service-function.ts';
import { grantTable, type Tables } from '../storage/tables.ts';

/** What a model's Lambda gets from its tracker. */
export interface ModelLambdaProps extends FunctionProps {
  readonly tables: Tables;
  readonly stream: Stream;
  /** Where its notifications go; undefined for nowhere. */
  readonly notificationStream?: Stream;
  readonly registrar: Function;
  readonly personalData?: PersonalData;
  readonly signingKeys: SigningKeys;
  /** Where its metrics go; undefined for none. */
  readonly metrics?: TrackerMetrics;
  /** Whether its log says why the model failed, in words that may quote an event. */
  readonly eventDataInLogs?: boolean;
}

/** The variables that a model's Lambda reads. */
export const modelSettings = ({
  tables,
  stream,
  notificationStream,
  metrics,
  tracing,
  eventDataInLogs,
}: ModelLambdaProps): Record<string, string> => ({
  MILEPOST_INSTANCES_TABLE: tables.instances.tableName,
  MILEPOST_STREAM: stream.streamName,
  ...(notificationStream && { MILEPOST_NOTIFICATION_STREAM: notificationStream.streamName }),
  ...(metrics && { MILEPOST_METRICS: metrics.namespace }),
  ...(tracing && tracingSettings),
  ...(eventDataInLogs && { MILEPOST_EVENT_DATA_IN_LOGS: 'on' }),
});

/** Lets a model's Lambda keep its instances, and send what its events lead to. */
export function grantModel(fn: Function, props: ModelLambdaProps): void {
  const { tables, stream, notificationStream, personalData, signingKeys } = props;
  grantTable(
    tables.instances,
    fn,
    'Query',
    'GetItem',
    'BatchGetItem',
    'PutItem',
    'UpdateItem',
    'PartiQLInsert',
    'PartiQLUpdate',
    // Of large texts that held personal data.
    ...(personalData ? ['DeleteItem'] : []),
  );

  personalData?.grantSeal(fn);

  signingKeys.grantRead(fn);

  // What its events lead to goes back to the stream.
  stream.grant(fn, 'kinesis:PutRecords');
  stream.encryptionKey?.grantEncrypt(fn);
  notificationStream?.grant(fn, 'kinesis:PutRecords');
}

/** A model's presence in the registry, for as long as it is in the stack. */
export function registerModel(
  scope: Construct,
  id: string,
  {
    fn,
    registrar,
    code,
    version,
  }: {
    readonly fn: Function;
    readonly registrar: Function;
    readonly code: string;
    /** The version of it that is published, to go back to; none where that would not bring its code back. */
    readonly version?: Version;
  },
): CustomResource {
  return new CustomResource(scope, 'Registration', {
    resourceType: 'Custom::MilepostModel',
    serviceToken: registrar.functionArn,
    // Longer than the registrar's own timeout and its two retries; the default is an hour.
    serviceTimeout: Duration.minutes(15),
    properties: {
      ModelId: id,
      FunctionArn: fn.functionArn,
      // Other code may describe itself in another way, so it has to be asked again.
      CodeHash: code,
      // Its code with its settings, as they are in this deployment.
      ...(version && { FunctionVersion: version.version }),
    },
  });
}

/** The resource of a function of this app. @throws Error for a function that has none in it */
export function resourceOf(fn: Function): CfnFunction {
  const resource = fn.node.defaultChild;
  if (resource instanceof CfnFunction) return resource;
  throw new Error(`${fn.node.path} has no function in it`);
}

/** The name of the code's object in S3, which is made from a hash of what is in it. */
export function codeKey(fn: Function): string {
  const { s3Key }: { s3Key: string } = Stack.of(fn).resolve(resourceOf(fn).code);
  return s3Key;
}
