import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

/** How the logs of every function are kept. */
export interface LogProps {
  readonly logRetention: RetentionDays;
  readonly removalPolicy: RemovalPolicy;
}

/**
 * What all our functions share. The role is made here, and not by the function, because what the
 * function would attach (AWSLambdaBasicExecutionRole) may write to every log group of the account.
 */
export function functionDefaults(scope: Construct, { logRetention, removalPolicy }: LogProps) {
  const logGroup = new LogGroup(scope, 'Logs', { retention: logRetention, removalPolicy });
  const role = new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
  });
  logGroup.grantWrite(role);
  return {
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    loggingFormat: LoggingFormat.JSON,
    logGroup,
    role,
  };
}

export interface ServiceFunctionProps extends LogProps {
  /** The name of the bundle: `<bundles>/<name>/index.mjs` exports `handler`. */
  readonly bundle: string;
  /** The folder of all bundles. */
  readonly bundles: string;
  readonly description: string;
  readonly memorySize: number;
  readonly timeout: Duration;
  readonly environment: Record<string, string>;
}

/** Where `npm run build` puts the bundles of our own Lambdas. */
export const builtBundles = join(import.meta.dirname, '..', 'dist', 'lambdas');

/** One of Milepost's own Lambdas, from its prebuilt bundle. */
export class ServiceFunction extends Construct {
  readonly function: Function;
  readonly logGroup: LogGroup;
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
      environment: props.environment,
    });
  }
}
