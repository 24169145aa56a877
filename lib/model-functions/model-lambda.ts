import { CustomResource, Duration, Stack } from 'aws-cdk-lib';
import type { Stream } from 'aws-cdk-lib/aws-kinesis';
import { CfnFunction, type Function, type Version } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { PersonalData } from '../keys/personal-data.ts';
import type { SigningKeys } from '../keys/signing-keys.ts';
import type { TrackerMetrics } from '../monitoring/tracker-metrics.ts';
import type { Wakeups } from '../pipeline/wakeups.ts';
import { type FunctionProps, tracingSettings } from '../service-function.ts';
import { grantTable, type Tables } from '../storage/tables.ts';

/** The properties that a tracker passes to a model's Lambda function. */
export interface ModelLambdaProps extends FunctionProps {
  readonly tables: Tables;
  readonly stream: Stream;
  /** The stream of notifications; undefined if none are published. */
  readonly notificationStream?: Stream;
  readonly registrar: Function;
  readonly personalData?: PersonalData;
  readonly signingKeys: SigningKeys;
  /** Fires timers at the exact second when they are due. */
  readonly wakeups: Wakeups;
  /** The destination of metrics; undefined to emit no metrics. */
  readonly metrics?: TrackerMetrics;
  /** Whether logs contain the reasons for a model's failures, which can quote events. */
  readonly eventDataInLogs?: boolean;
}

/** Returns the environment variables of a model's Lambda function. */
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

/** Grants a model's Lambda function permission to store instances and send their effects. */
export function grantModel(fn: Function, props: ModelLambdaProps): void {
  const { tables, stream, notificationStream, personalData, signingKeys, wakeups } = props;
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
    // Erasing personal data deletes the large texts that contain it.
    ...(personalData ? ['DeleteItem'] : []),
  );

  personalData?.grantSeal(fn);

  signingKeys.grantRead(fn);
  wakeups.connect(fn);

  // The function puts the effects of models on the stream as events.
  stream.grant(fn, 'kinesis:PutRecords');
  stream.encryptionKey?.grantEncrypt(fn);
  notificationStream?.grant(fn, 'kinesis:PutRecords');
}

/** Keeps a model's entry in the registry for as long as the model is in the stack. */
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
    /** The published version for rollbacks; undefined if a version would not restore the model's code. */
    readonly version?: Version;
  },
): CustomResource {
  return new CustomResource(scope, 'Registration', {
    resourceType: 'Custom::MilepostModel',
    serviceToken: registrar.functionArn,
    // Long enough for the registrar's timeout and two retries. CloudFormation's default is an hour.
    serviceTimeout: Duration.minutes(15),
    properties: {
      ModelId: id,
      FunctionArn: fn.functionArn,
      // New code may have a different description, so the registrar must request it again.
      CodeHash: code,
      // The version contains the code and settings of this deployment.
      ...(version && { FunctionVersion: version.version }),
    },
  });
}

/** Returns the CloudFormation resource of a function of this app. @throws Error if the function has none. */
export function resourceOf(fn: Function): CfnFunction {
  const resource = fn.node.defaultChild;
  if (resource instanceof CfnFunction) return resource;
  throw new Error(`${fn.node.path} contains no function`);
}

/** Returns the key of the S3 object with a function's code. The key contains a hash of the code. */
export function codeKey(fn: Function): string {
  const { s3Key }: { s3Key: string } = Stack.of(fn).resolve(resourceOf(fn).code);
  return s3Key;
}
