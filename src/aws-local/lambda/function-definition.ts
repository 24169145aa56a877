import { randomBytes } from 'node:crypto';

/** A deployed function, with the properties of a CDK `Function`. */
export interface FunctionDefinition {
  readonly name: string;
  /** Unqualified: `arn:aws:lambda:<region>:<account>:function:<name>`. */
  readonly arn: string;
  /** The Lambda runtime, such as `nodejs24.x` or `python3.13`. */
  readonly runtime: string;
  /**
   * The program with arguments that runs the function on this machine and speaks the Runtime API. Without it, the
   * function runs as on Lambda's Node.js 24.
   */
  readonly bootstrap?: readonly string[];
  /** The deployed folder, e.g. one that contains `index.mjs`. */
  readonly codePath: string;
  /** `<file without extension>.<export>`, e.g. `index.handler`. */
  readonly handler: string;
  /** The function's own environment variables. */
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  /** The maximum number of concurrent invocations; more are throttled. Without it, they queue. */
  readonly reservedConcurrency?: number;
  /** The number of a published version; undefined for the unpublished function. */
  readonly version?: string;
}

/** Adds the environment variables that Lambda sets for every function. */
export const withEnvironment = (
  definition: FunctionDefinition,
  variables: Readonly<Record<string, string>>,
): FunctionDefinition => ({
  ...definition,
  environment: { ...definition.environment, ...variables },
});

/** The version name of the unpublished function. */
const latestVersion = '$LATEST';

/** The version of a function. */
export const versionOf = ({ version = latestVersion }: Pick<FunctionDefinition, 'version'>) =>
  version;

/** The log stream name of a new environment in its function's log group. */
export function newLogStreamName(definition: FunctionDefinition): string {
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '/');
  return `${day}/[${versionOf(definition)}]${randomBytes(16).toString('hex')}`;
}

/**
 * The environment variables of a function: those set by AWS, those set by this host for all functions, and the
 * function's own; none of the host process.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
 */
export function environmentVariables(
  definition: FunctionDefinition,
  runtimeEnvironment: Readonly<Record<string, string>>,
  logStreamName: string,
): Record<string, string> {
  return {
    LANG: 'en_US.UTF-8',
    PATH: '/var/lang/bin:/usr/local/bin:/usr/bin/:/bin:/opt/bin',
    TZ: ':UTC',
    ...runtimeEnvironment,
    ...definition.environment,
    _HANDLER: definition.handler,
    AWS_EXECUTION_ENV: `AWS_Lambda_${definition.runtime}`,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(definition.memoryMb),
    AWS_LAMBDA_FUNCTION_NAME: definition.name,
    AWS_LAMBDA_FUNCTION_VERSION: versionOf(definition),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${definition.name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: logStreamName,
    LAMBDA_TASK_ROOT: definition.codePath,
  };
}
