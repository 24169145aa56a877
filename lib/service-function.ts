import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Duration, type RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { packageFolder } from '../src/package-folder.ts';
import { checkEnvironmentSize } from './options/check-environment-size.ts';

/** How long a function's logs are kept, and whether they are deleted with the stack. */
export interface LogProps {
  readonly logRetention: RetentionDays;
  readonly removalPolicy: RemovalPolicy;
}

/** The settings that all functions share. */
export interface FunctionProps extends LogProps {
  /** Whether X-Ray samples invocations of the function. */
  readonly tracing?: boolean;
  /** The number of concurrent executions to reserve for the function, which also becomes its limit. */
  readonly reservedConcurrency?: number;
}

/**
 * Creates the default settings of a function, with its log group and role. The role replaces the CDK's default, which
 * could write to every log group of the account (AWSLambdaBasicExecutionRole).
 */
export function functionDefaults(
  scope: Construct,
  { logRetention, removalPolicy, tracing = false, reservedConcurrency }: FunctionProps,
) {
  const logGroup = new LogGroup(scope, 'Logs', { retention: logRetention, removalPolicy });
  const role = new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
  });
  logGroup.grantWrite(role);
  if (tracing)
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'X-Ray does not support resource-level permissions.',
    });
  return {
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    loggingFormat: LoggingFormat.JSON,
    // Lambda's two log lines per successful invocation would cost as much as the request charge of the invocation.
    systemLogLevelV2: SystemLogLevel.WARN,
    logGroup,
    role,
    reservedConcurrentExecutions: reservedConcurrency,
    ...(tracing && { tracing: Tracing.ACTIVE }),
  };
}

/** The settings that all of Milepost's own functions share. */
export interface ServiceProps extends FunctionProps {
  /** The folder of all bundles. */
  readonly bundles: string;
}

export interface ServiceFunctionProps extends ServiceProps {
  /** The name of the bundle: `<bundles>/<name>/index.mjs` exports `handler`. */
  readonly bundle: string;
  readonly description: string;
  readonly memorySize: number;
  readonly timeout: Duration;
  readonly environment: Record<string, string>;
}

/** The environment variable that turns on tracing, for functions whose invocations X-Ray may sample. */
export const tracingSettings = { MILEPOST_TRACING: 'on' };

/** The output folder of `npm run build` for Milepost's own Lambda functions. */
export const builtBundles = join(packageFolder, 'dist', 'lambdas');

/** One of Milepost's own Lambda functions, deployed from its prebuilt bundle. */
export class ServiceFunction extends Construct {
  /** The Lambda function. */
  readonly function: Function;
  /** The log group to which the function writes. */
  readonly logGroup: LogGroup;
  /** The role that the function assumes. */
  readonly role: Role;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const folder = join(props.bundles, props.bundle);
    if (!existsSync(join(folder, 'index.mjs')))
      throw new Error(
        `${folder} contains no bundle of the Lambda function ${props.bundle}; run npm run build`,
      );
    const environment = { ...props.environment, ...(props.tracing && tracingSettings) };
    checkEnvironmentSize(`the environment variables of ${this.node.path}`, environment);
    const defaults = functionDefaults(this, props);
    this.logGroup = defaults.logGroup;
    this.role = defaults.role;
    this.function = new Function(this, 'Function', {
      ...defaults,
      code: Code.fromAsset(folder),
      handler: 'index.handler',
      description: props.description,
      memorySize: props.memorySize,
      timeout: props.timeout,
      environment,
    });
  }
}
