import { CustomResource, Duration, Stack } from 'aws-cdk-lib';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { Stream } from 'aws-cdk-lib/aws-kinesis';
import { CfnFunction, type Function } from 'aws-cdk-lib/aws-lambda';
import {
  type BundlingOptions,
  LogLevel,
  NodejsFunction,
  OutputFormat,
} from 'aws-cdk-lib/aws-lambda-nodejs';
import { Construct } from 'constructs';
import type { PersonalData } from './personal-data.ts';
import { type FunctionProps, functionDefaults, tracingSettings } from './service-function.ts';
import { grantTable, type Tables } from './tables.ts';
import type { TrackerMetrics } from './tracker-metrics.ts';

/** A model, as given to `addModel`. */
export interface ModelProps {
  /** The file of the model's Lambda, TypeScript or JavaScript: it exports the result of `serve`. */
  readonly entry: string;
  /** What the file exports it as. @default 'handler' */
  readonly handler?: string;
  /** In MB; a function's share of a CPU goes with it. @default 512 */
  readonly memorySize?: number;
  /** At most two minutes, so that the dispatcher outlives it. @default 10 seconds */
  readonly timeout?: Duration;
  /**
   * So many of it may run at once, and no more; they are kept from all others of the account. Each
   * running dispatcher waits for at most one of each model. @default as many as the account has left
   */
  readonly reservedConcurrency?: number;
  /** Further environment variables. @default none */
  readonly environment?: Record<string, string>;
  /** The lock file of the project that has the entry. @default found upwards from the working folder */
  readonly depsLockFilePath?: string;
  /** Changes to how esbuild bundles the entry. @default a minified ES module with the AWS SDK in it */
  readonly bundling?: BundlingOptions;
}

/** What a model gets from its tracker. */
export interface ModelScopeProps extends ModelProps, FunctionProps {
  readonly tables: Tables;
  readonly stream: Stream;
  readonly eventBus?: IEventBus;
  readonly registrar: Function;
  readonly personalData?: PersonalData;
  /** Where its metrics go; undefined for none. */
  readonly metrics?: TrackerMetrics;
}

/**
 * A model: its function, and its entry in the registry for as long as it is in the stack.
 *
 * @example
 * import { App, Stack } from 'aws-cdk-lib';
 *
 * const stack = new Stack(new App(), 'Orders');
 * const tracker = new ProcessTracker(stack, 'Tracker');
 * const orders: Model = tracker.addModel('orders', { entry: 'models/orders/lambda.ts' });
 * orders.function.addEnvironment('REGION_OF_SALE', 'EU');
 */
export class Model extends Construct {
  /** The model's function, to add permissions or environment to. */
  readonly function: NodejsFunction;
  /** Its presence in the registry. */
  readonly registration: CustomResource;

  constructor(scope: Construct, id: string, props: ModelScopeProps) {
    super(scope, id);
    const { instances } = props.tables;
    this.function = new NodejsFunction(this, 'Function', {
      ...functionDefaults(this, props),
      entry: props.entry,
      handler: props.handler ?? 'handler',
      description: `Milepost: the model ${id}`,
      memorySize: props.memorySize ?? 512,
      timeout: props.timeout ?? Duration.seconds(10),
      depsLockFilePath: props.depsLockFilePath,
      awsSdkConnectionReuse: false, // a setting of the AWS SDK's version 2
      environment: {
        ...props.environment,
        MILEPOST_INSTANCES_TABLE: instances.tableName,
        MILEPOST_STREAM: props.stream.streamName,
        // By its ARN, because it may be in another account.
        ...(props.eventBus ? { MILEPOST_BUS: props.eventBus.eventBusArn } : {}),
        ...(props.metrics && { MILEPOST_METRICS: props.metrics.namespace }),
        ...(props.tracing && tracingSettings),
      },
      bundling: {
        format: OutputFormat.ESM,
        target: 'node24',
        minify: true,
        bundleAwsSDK: true,
        logLevel: LogLevel.WARNING,
        mainFields: ['module', 'main'],
        ...props.bundling,
        // What a sketch of durations would write itself as bytes with: it does not.
        externalModules: ['protobufjs/*', ...(props.bundling?.externalModules ?? [])],
      },
    });
    grantTable(
      instances,
      this.function,
      'Query',
      'GetItem',
      'BatchGetItem',
      'PutItem',
      'UpdateItem',
      'PartiQLInsert',
      'PartiQLUpdate',
    );

    props.personalData?.grantSeal(this.function);

    // What its events lead to goes back to the stream.
    props.stream.grant(this.function, 'kinesis:PutRecords');
    props.stream.encryptionKey?.grantEncrypt(this.function);
    props.eventBus?.grantPutEventsTo(this.function);

    this.registration = new CustomResource(this, 'Registration', {
      resourceType: 'Custom::MilepostModel',
      serviceToken: props.registrar.functionArn,
      // Longer than the registrar's own timeout and its two retries; the default is an hour.
      serviceTimeout: Duration.minutes(15),
      properties: {
        ModelId: id,
        FunctionArn: this.function.functionArn,
        // Other code may describe itself in another way, so it has to be asked again.
        CodeHash: codeKey(this.function),
      },
    });
  }
}

/** The name of the code's object in S3, which is made from a hash of what is in it. */
function codeKey(fn: NodejsFunction): string {
  const resource = fn.node.defaultChild;
  if (!(resource instanceof CfnFunction)) throw new Error(`${fn.node.path} has no function in it`);
  const { s3Key }: { s3Key: string } = Stack.of(fn).resolve(resource.code);
  return s3Key;
}
