import { hash } from 'node:crypto';
import { type CustomResource, Duration, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { MilepostError } from '../../src/core/errors.ts';
import { maximumModelTimeout } from '../pipeline/dispatcher-time.ts';
import { type LogProps, ServiceFunction } from '../service-function.ts';
import {
  grantModel,
  type ModelLambdaProps,
  modelSettings,
  registerModel,
  resourceOf,
} from './model-lambda.ts';

/** A model whose code is a function in any language, as given to `addModelFunction`. */
export interface ModelFunctionProps {
  /**
   * The function, which answers as docs/protocol.md says. It is invoked by Milepost and needs no permission
   * of its own.
   */
  readonly function: IFunction;
  /**
   * Where the function is not one of this app: what is to be changed for the model to be described to people
   * anew. Of a function of this app its code, handler and runtime count.
   *
   * @default none
   */
  readonly revision?: string;
  /** In MB, of Milepost's Lambda before the function. @default 512 */
  readonly memorySize?: number;
  /**
   * The same Lambda's time, which has to be more than the function's own: it asks perhaps more than once. At
   * most two minutes, so that the dispatcher outlives it.
   *
   * @default twice the function's and 10 seconds, at least 30 seconds
   */
  readonly timeout?: Duration;
  /** So many of that Lambda may run at once, each of which has at most one of the function run. @default as many as the account has left */
  readonly reservedConcurrency?: number;
}

/** What it gets from its tracker. */
export interface ModelHostScopeProps
  extends Omit<ModelFunctionProps, 'timeout'>,
    ModelLambdaProps,
    LogProps {
  readonly bundles: string;
  readonly timeout: Duration;
}

/**
 * A model whose code is a function, behind a Lambda of Milepost's that keeps what the function folds:
 * `addModelFunction` makes it.
 *
 * @example
 * declare const tracker: ProcessTracker;
 * declare const loans: import('aws-cdk-lib/aws-lambda').IFunction;
 *
 * const host: ModelHost = tracker.addModelFunction('library-loan', { function: loans });
 * console.log(host.function.functionArn);
 */
export class ModelHost extends ServiceFunction {
  /** The model's presence in the registry. */
  readonly registration: CustomResource;

  /**
   * @param scope the tracker.
   * @param id the model's id.
   * @param props what the tracker passes on.
   */
  constructor(scope: Construct, id: string, props: ModelHostScopeProps) {
    const { function: foldFunction, revision = '', registrar, timeout, memorySize = 512 } = props;
    super(scope, id, {
      ...props,
      bundle: 'model-host',
      description: `Milepost: keeps the instances of the model ${id}, which a function folds`,
      memorySize,
      timeout,
      environment: {
        ...modelSettings(props),
        MILEPOST_MODEL: id,
        MILEPOST_FUNCTION: foldFunction.functionArn,
      },
    });
    grantModel(this.function, props);
    this.function.addToRolePolicy(
      // Not grantInvoke, which allows every version and alias too.
      new PolicyStatement({
        actions: ['lambda:InvokeFunction'],
        resources: [foldFunction.functionArn],
      }),
    );
    const code = codeOf(foldFunction) + revision;
    this.registration = registerModel(this, id, { fn: this.function, registrar, code });
    // Once it may be asked, and is what it is going to be.
    this.registration.node.addDependency(this.role, foldFunction);
  }
}

/** What of a function decides how it describes itself, as far as this app knows. */
function codeOf(fn: IFunction): string {
  if (!(fn instanceof LambdaFunction)) return fn.functionArn;
  const { code, handler, runtime } = resourceOf(fn);
  return hash('sha256', JSON.stringify(Stack.of(fn).resolve({ code, handler, runtime })));
}

const maximumTimeoutSeconds = maximumModelTimeout.toSeconds();

/**
 * The time of the Lambda before a function.
 *
 * @throws MilepostError `bad-model` where the function may take as long.
 */
export function modelHostTimeout(
  id: string,
  { function: fn, timeout }: ModelFunctionProps,
): Duration {
  // Lambda's own default is 3 seconds.
  const its =
    fn instanceof LambdaFunction ? (fn.timeout ?? Duration.seconds(3)).toSeconds() : undefined;
  const seconds =
    timeout?.toSeconds() ??
    Math.min(maximumTimeoutSeconds, Math.max(30, 2 * (its ?? maximumTimeoutSeconds) + 10));
  if (its !== undefined && its >= seconds)
    throw new MilepostError(
      'bad-model',
      `the function of model "${id}" may run for ${its} s, and has to end before the ${seconds} s of its host`,
    );
  return Duration.seconds(seconds);
}
