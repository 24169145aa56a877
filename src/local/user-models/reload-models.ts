import {
  type FunctionDefinition,
  withEnvironment,
} from '../../aws-local/lambda/function-definition.ts';
import type { LambdaHost } from '../../aws-local/lambda/lambda-host.ts';
import { type Program, programFor } from '../../aws-local/lambda/runtime-api/programs.ts';
import { messageOf } from '../../common/message-of.ts';
import type { ServiceDefinition } from '../template/service-definition.ts';
import { modelProblem } from './check-model.ts';
import { type BundledModel, deploymentOf, deploymentPattern, withModel } from './with-models.ts';

/** The parts of the running service that are needed to reload a model. */
export interface RunningService {
  readonly service: ServiceDefinition;
  readonly host: LambdaHost;
  /** The environment variables that each function receives in addition to its own variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** Publishes versions of changed functions and registers the changed models. */
  readonly register: (next: ServiceDefinition) => Promise<void>;
  /** The value of PATH, in which to find the programs that run functions in other languages. */
  readonly path: string | undefined;
  readonly log: (line: string) => void;
}

/** `unchanged` if the code was already in use; `refused` if it cannot be used. */
export type DeploymentOutcome = 'deployed' | 'unchanged' | 'refused';

/**
 * Returns a function that loads or reloads the code of a model while the service runs. Invocations in progress finish
 * with the old code; later invocations use the new code. If the new code does not load, is not a valid model, or cannot
 * be registered, the old code stays in use.
 */
export function createModelReloader({
  service,
  host,
  environment: variables,
  register,
  path,
  log,
}: RunningService) {
  let current = service;
  return async (model: BundledModel): Promise<DeploymentOutcome> => {
    const started = Date.now();
    const { id } = model;
    const wanted = deploymentOf(deploymentPattern(service), model);
    const functions = [wanted.function, ...(wanted.foldFunction ? [wanted.foldFunction] : [])];
    const before = functions.map(({ name }) =>
      current.functions.find((each) => each.name === name),
    );
    // The last function contains the model's code.
    const running = before.at(-1);
    if (running?.codePath === model.codePath) return 'unchanged';
    const refuse = (reason: string) => {
      log(
        `${reason}; ${running ? 'the previous code stays in use' : 'the model is not available'}`,
      );
      return 'refused' as const;
    };
    const programs = functions.map(({ runtime, codePath }) => programFor(runtime, codePath, path));
    const none = programs.find((program) => program.kind === 'none');
    if (none) {
      const line = `The model ${id} cannot run on this machine: ${none.reason}`;
      return service.unsupported.includes(line) ? 'refused' : refuse(line);
    }
    const definitions = functions.map((each, n) => withProgram(each, programs[n]!));
    const defined = definitions.map((each) => withEnvironment(each, variables));
    const reason = await deploymentProblem(host, id, defined);
    if (reason !== undefined) return refuse(reason);
    const [definition, foldFunction] = definitions;
    const next = withModel(current, { ...wanted, function: definition!, foldFunction });
    for (const each of defined) host.define(each);
    try {
      await register(next);
    } catch (error) {
      // The registry still describes the old code, so restore it.
      for (const [n, { name }] of defined.entries())
        if (before[n]) host.define(withEnvironment(before[n], variables));
        else host.remove(name);
      return refuse(`the model ${id} could not be registered: ${messageOf(error)}`);
    }
    current = next;
    log(`The model ${id} was ${running ? 'reloaded' : 'loaded'} in ${Date.now() - started} ms`);
    return 'deployed';
  };
}

const withProgram = (definition: FunctionDefinition, program: Program): FunctionDefinition =>
  program.kind === 'program' ? { ...definition, bootstrap: program.bootstrap } : definition;

/**
 * Returns the reason why a model is invalid: see `modelProblem`.
 *
 * @param functions the model's Lambda function and, if the model's code is a separate function, that function.
 */
async function deploymentProblem(
  host: LambdaHost,
  id: string,
  [definition, foldFunction]: readonly FunctionDefinition[],
): Promise<string | undefined> {
  if (!foldFunction) return modelProblem(host, id, definition!);
  const name = `${foldFunction.name}-check`;
  const arn = foldFunction.arn.replace(/[^:]+$/, name);
  host.define({ ...foldFunction, name, arn });
  try {
    const environment = { ...definition!.environment, MILEPOST_FUNCTION: arn };
    return await modelProblem(host, id, { ...definition!, environment });
  } finally {
    host.remove(name);
  }
}
