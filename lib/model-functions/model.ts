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

/** The timeout of a model's function that sets none. */
export const defaultModelTimeout = Duration.seconds(10);

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
   * Reserves this many concurrent executions for the model, which are also the most it can use. A
   * running dispatcher uses one, and up to 32 while it isolates an event that the model crashes on.
   *
   * @default as many as the account has left
   */
  readonly reservedConcurrency?: number;
  /** Further environment variables. @default none */
  readonly environment?: Record<string, string>;
  /**
   * Whether the function has a source map beside its code, so that faults name the position in your sources:
   * `models/parcel/model.ts:12:17`. It is read with the first fault; until then it only makes the package
   * larger, for a small model by about 75 KB, compressed.
   *
   * @default false
   */
  readonly sourceMaps?: boolean;
  /** The lock file of the project that has the entry. @default found upwards from the working folder */
  readonly depsLockFilePath?: string;
  /** Changes to how esbuild bundles the entry. @default a minified ES module with the AWS SDK in it */
  readonly bundling?: BundlingOptions;
}

/** What a model gets from its tracker. */
export interface ModelScopeProps extends ModelProps, ModelLambdaProps {
  readonly reservedConcurrency?: number;
}

/**
 * A model: its function, and its entry in the registry for as long as it is in the stack. Every
 * deployment that changes the function publishes a version of it, which stays in Lambda when the next
 * one takes its place in the stack, so that it can be gone back to. The registrar deletes it when 20 newer
 * ones are registered. One
 * that was published by a deployment which then failed is taken back with it.
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
  /** The model's function, to add permissions or environment to. */
  readonly function: NodejsFunction;
  /** Its presence in the registry. */
  readonly registration: CustomResource;

  /** @internal `addModel` makes it. */
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
      awsSdkConnectionReuse: false, // a setting of the AWS SDK's version 2
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
        // What a sketch of durations would write itself as bytes with: it does not.
        externalModules: ['protobufjs/*', ...(props.bundling?.externalModules ?? [])],
      },
    });
    grantModel(this.function, props);
    this.registration = registerModel(this, id, {
      fn: this.function,
      registrar: props.registrar,
      code: codeKey(this.function),
      version: this.function.currentVersion,
    });
  }
}

/** A file as faults name it: its path in the working folder, or, outside of it, `models/parcel/lambda.ts`. */
function pathInProject(file: string): string {
  const parts = relative(process.cwd(), file).split(sep);
  return (parts[0] === '..' ? parts.slice(-3) : parts).join('/');
}
