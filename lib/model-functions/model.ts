import { relative, sep } from 'node:path';
import { type CustomResource, Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  type BundlingOptions,
  LogLevel,
  NodejsFunction,
  OutputFormat,
  SourceMapMode,
} from 'aws-cdk-lib/aws-lambda-nodejs';
import { Construct } from 'constructs';
import { lambdaNodeVersion, nodeVersionGuard } from '../../src/lambda-node.ts';
import { functionDefaults } from '../service-function.ts';
import {
  codeKey,
  grantModel,
  type ModelLambdaProps,
  modelSettings,
  registerModel,
} from './model-lambda.ts';
import { warnOfOldZones } from './old-zones.ts';

export const defaultModelTimeout = Duration.seconds(10);

/** The properties of a model, as passed to `addModel`. */
export interface ModelProps {
  /** The TypeScript or JavaScript file that defines the model's Lambda function: it exports the result of `serve`. */
  readonly entry: string;
  /** The name of the export. @default 'handler' */
  readonly handler?: string;
  /** The memory in MB, which also determines the share of a CPU. @default 512 */
  readonly memorySize?: number;
  /**
   * How long an invocation can run, at most two minutes, because the dispatcher waits for the model. @default 10
   * seconds
   */
  readonly timeout?: Duration;
  /**
   * The number of concurrent executions to reserve for the model's function, which also becomes its limit. Each running
   * dispatcher uses one at a time, or up to 32 while it isolates an event that crashes the model.
   *
   * @default the unreserved concurrency of the account
   */
  readonly reservedConcurrency?: number;
  /** Additional environment variables, whose names must not start with `MILEPOST_`. @default none */
  readonly environment?: Record<string, string>;
  /**
   * Whether to deploy a source map with the function so that faults show positions in your sources:
   * `models/parcel/model.ts:12:17`. The function reads the map at the first fault. The map of a small model
   * adds about 75 KB to the size of the compressed package.
   *
   * @default false
   */
  readonly sourceMaps?: boolean;
  /**
   * The lock file of the project that contains the entry.
   *
   * @default the first lock file that is found in the working folder and then in each parent folder
   */
  readonly depsLockFilePath?: string;
  /** Overrides of the esbuild options for the entry. @default a minified ES module that includes the AWS SDK */
  readonly bundling?: BundlingOptions;
}

/** The properties that a tracker passes to a model. */
export interface ModelScopeProps extends ModelProps, ModelLambdaProps {}

/**
 * A model with its function, and with an entry in the registry for as long as the model is in the stack. Every
 * deployment that changes the function publishes a version. Versions remain in Lambda for rollbacks; the registrar
 * deletes a version when 20 newer versions are registered. If a deployment fails, CloudFormation also rolls back the
 * published version.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-versions.html
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
  /** The model's function. Use it to add permissions or environment variables. */
  readonly function: NodejsFunction;
  /** The model's entry in the registry. */
  readonly registration: CustomResource;

  /** @internal Created by `addModel`. */
  constructor(scope: Construct, id: string, props: ModelScopeProps) {
    super(scope, id);
    const hasSourceMap = props.sourceMaps || props.bundling?.sourceMap;
    this.function = new NodejsFunction(this, 'Function', {
      ...functionDefaults(this, props),
      entry: props.entry,
      handler: props.handler ?? 'handler',
      description: `Milepost: the model ${id}`,
      memorySize: props.memorySize ?? 512,
      timeout: props.timeout ?? defaultModelTimeout,
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
      depsLockFilePath: props.depsLockFilePath,
      awsSdkConnectionReuse: false, // applies only to version 2 of the AWS SDK
      environment: {
        ...props.environment,
        ...modelSettings(props),
        ...(hasSourceMap && { MILEPOST_ENTRY: pathInProject(props.entry) }),
      },
      bundling: {
        format: OutputFormat.ESM,
        target: `node${lambdaNodeVersion}`,
        minify: true,
        bundleAwsSDK: true,
        logLevel: LogLevel.WARNING,
        mainFields: ['module', 'main'],
        ...(props.sourceMaps && {
          sourceMap: true,
          sourceMapMode: SourceMapMode.EXTERNAL,
          sourcesContent: false,
        }),
        ...props.bundling,
        banner: nodeVersionGuard + (props.bundling?.banner ?? ''),
        // The sketches library needs protobufjs only to serialize sketches to bytes, which models never do.
        externalModules: ['protobufjs/*', ...(props.bundling?.externalModules ?? [])],
      },
    });
    warnOfOldZones(this.function);
    grantModel(this.function, props);
    this.registration = registerModel(this, id, {
      fn: this.function,
      registrar: props.registrar,
      code: codeKey(this.function),
      version: this.function.currentVersion,
    });
  }
}

/**
 * Returns a file's path as it appears in the positions of faults: relative to the working folder or, for a file outside
 * it, the last three segments, such as `models/parcel/lambda.ts`.
 */
function pathInProject(file: string): string {
  const parts = relative(process.cwd(), file).split(sep);
  return (parts[0] === '..' ? parts.slice(-3) : parts).join('/');
}
