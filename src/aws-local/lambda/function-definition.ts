import { randomBytes } from 'node:crypto';

/** A deployed function. The properties correspond to the properties of a CDK `Function`. */
export interface FunctionDefinition {
  readonly name: string;
  /** The ARN without a qualifier: `arn:aws:lambda:<region>:<account>:function:<name>`. */
  readonly arn: string;
  /** The Lambda runtime, such as `nodejs24.x` or `python3.13`. */
  readonly runtime: string;
  /**
   * The program, with its arguments, that runs the function on this machine through the Runtime API. If undefined, the
   * function runs in Node.js, as in Lambda's Node.js 24 runtime.
   */
  readonly bootstrap?: readonly string[];
  /** The folder with the function's code, such as the file `index.mjs`. */
  readonly codePath: string;
  /** The handler, as `<file without extension>.<export>`, such as `index.handler`. */
  readonly handler: string;
  /** The function's own environment variables. */
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  /**
   * The format of the function's output. This host always writes its own lines about invocations as text, regardless of
   * the format and the system log level. Default: `Text`.
   */
  readonly logFormat?: 'Text' | 'JSON';
  /**
   * The maximum number of concurrent invocations, including queued invocations; additional invocations are throttled.
   * If undefined, no invocation is throttled: invocations wait in a queue while all environments are busy.
   */
  readonly reservedConcurrency?: number;
  /** The number of a published version; undefined for the unpublished function. */
  readonly version?: string;
}

/** Returns the function with additional environment variables. */
export const withEnvironment = (
  definition: FunctionDefinition,
  variables: Readonly<Record<string, string>>,
): FunctionDefinition => ({
  ...definition,
  environment: { ...definition.environment, ...variables },
});

/** The version name of the unpublished function. */
const latestVersion = '$LATEST';

/** Returns the version number of a function, or `$LATEST` for the unpublished function. */
export const versionOf = ({ version = latestVersion }: Pick<FunctionDefinition, 'version'>) =>
  version;

/** Creates a name for the log stream of a new execution environment, in the format of Lambda. */
export function newLogStreamName(definition: FunctionDefinition): string {
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '/');
  return `${day}/[${versionOf(definition)}]${randomBytes(16).toString('hex')}`;
}

/**
 * Returns the environment variables of a function's process: the variables that AWS sets, the variables that this host
 * sets for all functions, and the function's own variables. The process does not inherit the host's variables.
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
    AWS_LAMBDA_LOG_FORMAT: definition.logFormat ?? 'Text',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${definition.name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: logStreamName,
    LAMBDA_TASK_ROOT: definition.codePath,
  };
}
