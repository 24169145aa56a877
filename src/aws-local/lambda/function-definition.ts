import { randomBytes } from 'node:crypto';

/** A function as it is deployed: what a CDK `Function` says about itself. */
export interface FunctionDefinition {
  readonly name: string;
  /** Unqualified: `arn:aws:lambda:<region>:<account>:function:<name>`. */
  readonly arn: string;
  /** What runs it in AWS, such as `nodejs24.x` or `python3.13`. */
  readonly runtime: string;
  /**
   * The program that runs it here and speaks the Runtime API, with its arguments; without one it is run as
   * Node.js 24 on Lambda runs it.
   */
  readonly bootstrap?: readonly string[];
  /** The folder that is deployed, e.g. one with an `index.mjs` in it. */
  readonly codePath: string;
  /** `<file without extension>.<export>`, e.g. `index.handler`. */
  readonly handler: string;
  /** The function's own variables. */
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  /** More invocations than this at once are throttled; without it they queue. */
  readonly reservedConcurrency?: number;
  /** The number of a published version; the function as it was deployed last has none. */
  readonly version?: string;
}

/** The same with what Lambda gives every function besides its own variables. */
export const withEnvironment = (
  definition: FunctionDefinition,
  variables: Readonly<Record<string, string>>,
): FunctionDefinition => ({
  ...definition,
  environment: { ...definition.environment, ...variables },
});

/** What a function as it was deployed last is called, beside its published versions. */
const latestVersion = '$LATEST';

/** Which version of a function this is. */
export const versionOf = ({ version = latestVersion }: Pick<FunctionDefinition, 'version'>) =>
  version;

/** The name of a new environment's stream in its function's log group. */
export function newLogStreamName(definition: FunctionDefinition): string {
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '/');
  return `${day}/[${versionOf(definition)}]${randomBytes(16).toString('hex')}`;
}

/**
 * Everything that the function sees in `process.env`: what AWS sets, what this
 * host gives to all functions, and the function's own; nothing of the host's.
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
