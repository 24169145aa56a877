import { hash } from 'node:crypto';
import { type CustomResource, Duration, Stack } from 'aws-cdk-lib';
import { Alias, type IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { MilepostError } from '../../src/core/errors.ts';
import { allow } from '../allow.ts';
import { requireDuration } from '../options/require-duration.ts';
import { maximumModelTimeout } from '../pipeline/dispatcher-time.ts';
import { ServiceFunction, type ServiceProps } from '../service-function.ts';
import {
  grantModel,
  type ModelLambdaProps,
  modelSettings,
  registerModel,
  resourceOf,
} from './model-lambda.ts';

/** A model whose code is a function in any language, as passed to `addModelFunction`. */
export interface ModelFunctionProps {
  /**
   * The function, which implements the protocol in docs/reference/model-function-protocol.md. It needs no permissions
   * for Milepost's resources, because Milepost invokes it and stores the results.
   */
  readonly function: IFunction;
  /**
   * Any text that identifies the version of the function. If the function is not part of this app, a new value makes
   * Milepost request the model's description again. If the function is part of this app, a change to its code, handler,
   * or runtime has the same effect.
   *
   * @default none
   */
  readonly revision?: string;
  /** The memory in MB of Milepost's Lambda function that calls the model's function. @default 512 */
  readonly memorySize?: number;
  /**
   * How long Milepost's Lambda function that calls the model's function can run. The timeout must be longer than the
   * timeout of the called function, and at most two minutes, because the dispatcher waits for the response. The default
   * leaves enough time for two calls if the function's timeout is at most 55 seconds.
   *
   * @default twice the function's timeout plus 10 seconds, from 30 seconds to two minutes; two minutes if the
   *   function's timeout is unknown during synthesis
   */
  readonly timeout?: Duration;
  /**
   * The number of concurrent executions to reserve for Milepost's Lambda function, which also becomes its limit. Each
   * execution makes at most one call at a time, so this number also limits the concurrency of the called function.
   *
   * @default the unreserved concurrency of the account
   */
  readonly reservedConcurrency?: number;
}

/** The properties that a tracker passes to a model host. */
export interface ModelHostScopeProps
  extends Omit<ModelFunctionProps, 'timeout'>,
    ModelLambdaProps,
    ServiceProps {
  readonly timeout: Duration;
}

/**
 * A model whose code is a function, with Milepost's Lambda function that calls it and stores its results. Created by
 * `addModelFunction`.
 *
 * @example
 * declare const tracker: ProcessTracker;
 * declare const loans: import('aws-cdk-lib/aws-lambda').IFunction;
 *
 * const host: ModelHost = tracker.addModelFunction('library-loan', { function: loans });
 * console.log(host.function.functionArn);
 */
export class ModelHost extends ServiceFunction {
  /** The model's entry in the registry. */
  readonly registration: CustomResource;

  /**
   * @param scope the tracker.
   * @param id the model's id.
   * @param props the properties that the tracker passes.
   */
  constructor(scope: Construct, id: string, props: ModelHostScopeProps) {
    const { function: foldFunction, revision = '', registrar, timeout, memorySize = 512 } = props;
    super(scope, id, {
      ...props,
      bundle: 'model-host',
      description: `Milepost: stores the instances of the model ${id}, which is implemented by a function`,
      memorySize,
      timeout,
      environment: {
        ...modelSettings(props),
        MILEPOST_MODEL: id,
        MILEPOST_FUNCTION: foldFunction.functionArn,
      },
    });
    grantModel(this.function, props);
    // Unlike grantInvoke, this does not permit invoking versions and aliases.
    allow(this.function, ['lambda:InvokeFunction'], [foldFunction.functionArn]);
    const code = codeOf(foldFunction) + revision;
    this.registration = registerModel(this, id, { fn: this.function, registrar, code });
    // Register after the permission and the function itself are deployed.
    this.registration.node.addDependency(this.role, foldFunction);
  }
}

/**
 * Returns a string that changes when the code, handler, or runtime of a function changes, because a change can affect
 * the model's description. For a function outside this app, the string is the function's ARN. Aliases keep their ARN,
 * so the string of an alias is the ARN of its version.
 */
function codeOf(fn: IFunction): string {
  if (fn instanceof Alias) return fn.version.functionArn;
  if (!(fn instanceof LambdaFunction)) return fn.functionArn;
  const { code, handler, runtime } = resourceOf(fn);
  return hash('sha256', JSON.stringify(Stack.of(fn).resolve({ code, handler, runtime })));
}

/** Lambda's default timeout. */
const lambdaTimeout = Duration.seconds(3);
const maximumTimeoutSeconds = maximumModelTimeout.toSeconds();

/**
 * Returns the timeout of the Lambda function that calls a model's function.
 *
 * @throws MilepostError `bad-model` if the timeout of the model's function is not shorter than the timeout of the
 *   calling function, and `bad-request` for an invalid timeout.
 */
export function modelHostTimeout(
  id: string,
  { function: fn, timeout }: ModelFunctionProps,
): Duration {
  if (timeout !== undefined) requireDuration(`model "${id}": \`timeout\``, timeout, 'seconds', 1);
  const its = fn instanceof LambdaFunction ? knownSeconds(fn.timeout) : undefined;
  const seconds =
    timeout?.toSeconds() ??
    Math.min(maximumTimeoutSeconds, Math.max(30, 2 * (its ?? maximumTimeoutSeconds) + 10));
  if (its !== undefined && its >= seconds)
    throw new MilepostError(
      'bad-model',
      `the timeout of the function of model "${id}" must be shorter than the timeout of the Lambda function that calls it (${seconds} s); got ${its} s`,
    );
  return Duration.seconds(seconds);
}

/** Returns a function's timeout in seconds, or undefined if it is not known during synthesis. */
function knownSeconds(timeout = lambdaTimeout): number | undefined {
  return timeout.isUnresolved() ? undefined : timeout.toSeconds();
}
