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
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { packageFolder } from '../src/package-folder.ts';

/** How the logs of every function are kept. */
export interface LogProps {
  readonly logRetention: RetentionDays;
  readonly removalPolicy: RemovalPolicy;
}

/** How a function runs, and is seen from outside. */
export interface FunctionProps extends LogProps {
  /** Whether X-Ray records its invocations. */
  readonly tracing?: boolean;
  /** So many may run at once, and no more; they are kept from all others of the account. */
  readonly reservedConcurrency?: number;
}

/**
 * What all our functions share. The role is made here, and not by the function, because what the
 * function would attach (AWSLambdaBasicExecutionRole) may write to every log group of the account.
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
      reason:
        'X-Ray has no resources: what is written there can be permitted for all or not at all.',
    });
  return {
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    loggingFormat: LoggingFormat.JSON,
    logGroup,
    role,
    reservedConcurrentExecutions: reservedConcurrency,
    ...(tracing && { tracing: Tracing.ACTIVE }),
  };
}

export interface ServiceFunctionProps extends FunctionProps {
  /** The name of the bundle: `<bundles>/<name>/index.mjs` exports `handler`. */
  readonly bundle: string;
  /** The folder of all bundles. */
  readonly bundles: string;
  readonly description: string;
  readonly memorySize: number;
  readonly timeout: Duration;
  readonly environment: Record<string, string>;
}

/** Tells a function that X-Ray may record its invocations. */
export const tracingSettings = { MILEPOST_TRACING: 'on' };

/** Where `npm run build` puts the bundles of our own Lambdas. */
export const builtBundles = join(packageFolder, 'dist', 'lambdas');

/** One of Milepost's own Lambdas, from its prebuilt bundle. */
export class ServiceFunction extends Construct {
  /** The Lambda function. */
  readonly function: Function;
  /** The log group that the function writes to. */
  readonly logGroup: LogGroup;
  /** The role that the function assumes. */
  readonly role: Role;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const folder = join(props.bundles, props.bundle);
    if (!existsSync(join(folder, 'index.mjs')))
      throw new Error(`${folder} has no bundle of the ${props.bundle} Lambda: run npm run build`);
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
      environment: { ...props.environment, ...(props.tracing && tracingSettings) },
    });
  }
}
