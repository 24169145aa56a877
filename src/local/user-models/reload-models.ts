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

/** What taking a model's new code needs of the running service. */
export interface RunningService {
  readonly service: ServiceDefinition;
  readonly host: LambdaHost;
  /** What Lambda gives every function besides its own variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** Publishes and registers what changed. */
  readonly register: (next: ServiceDefinition) => Promise<void>;
  /** The variable PATH: where the programs are that run functions in other languages. */
  readonly path: string | undefined;
  readonly log: (line: string) => void;
}

/**
 * Takes new code of models while the service runs. What runs ends on the old code, and everything
 * after it runs on the new; code that does not load, or is no valid model, changes nothing.
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
  return async (model: BundledModel): Promise<void> => {
    const started = Date.now();
    const { id } = model;
    const wanted = deploymentOf(deploymentPattern(service), model);
    const functions = [wanted.function, ...(wanted.foldFunction ? [wanted.foldFunction] : [])];
    const before = functions.map(({ name }) =>
      current.functions.find((each) => each.name === name),
    );
    // The last one has the model's code.
    const running = before.at(-1);
    if (running?.codePath === model.codePath) return;
    const stays = running ? 'the one before runs on' : 'it is left out';
    const programs = functions.map(({ runtime, codePath }) => programFor(runtime, codePath, path));
    const none = programs.find((program) => program.kind === 'none');
    if (none) {
      const line = `The model ${id} does not run here: ${none.reason}`;
      if (!service.unsupported.includes(line)) log(`${line}; ${stays}`);
      return;
    }
    const definitions = functions.map((each, n) => withProgram(each, programs[n]!));
    const defined = definitions.map((each) => withEnvironment(each, variables));
    const reason = await deploymentProblem(host, id, defined);
    if (reason !== undefined) return log(`${reason}; ${stays}`);
    const [definition, foldFunction] = definitions;
    const next = withModel(current, { ...wanted, function: definition!, foldFunction });
    for (const each of defined) host.define(each);
    try {
      await register(next);
    } catch (error) {
      // What the registry says then is of the old code, so that has to run.
      for (const [n, { name }] of defined.entries())
        if (before[n]) host.define(withEnvironment(before[n], variables));
        else host.remove(name);
      return log(`the model ${id} could not be registered: ${messageOf(error)}; ${stays}`);
    }
    current = next;
    log(`The model ${id} was taken ${running ? 'again ' : ''}in ${Date.now() - started} ms`);
  };
}

const withProgram = (definition: FunctionDefinition, program: Program): FunctionDefinition =>
  program.kind === 'program' ? { ...definition, bootstrap: program.bootstrap } : definition;

/**
 * Why a model cannot be taken: see `modelProblem`.
 *
 * @param functions its Lambda and, where its code is a function of its own, that function.
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
