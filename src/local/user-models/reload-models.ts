import { messageOf } from '../../core/errors.ts';
import { withVariables } from '../lambda/function-definition.ts';
import type { LambdaHost } from '../lambda/lambda-host.ts';
import type { ServiceDefinition } from '../template/service-definition.ts';
import { whyNotModel } from './check-model.ts';
import { type BundledModel, deploymentOf, patternOf, withModel } from './with-models.ts';

/** What taking a model's new code needs of the running service. */
export interface RunningService {
  readonly service: ServiceDefinition;
  readonly host: LambdaHost;
  /** What Lambda gives every function besides its own variables. */
  readonly variables: Readonly<Record<string, string>>;
  /** Publishes and registers what changed. */
  readonly register: (next: ServiceDefinition) => Promise<void>;
  readonly log: (line: string) => void;
}

/**
 * Takes new code of models while the service runs. What runs ends on the old code, and everything
 * after it runs on the new; code that does not load, or is no valid model, changes nothing.
 */
export function modelReloader({ service, host, variables, register, log }: RunningService) {
  let current = service;
  return async (model: BundledModel): Promise<void> => {
    const started = Date.now();
    const { id } = model;
    const wanted = deploymentOf(patternOf(service), model);
    const before = current.functions.find(({ name }) => name === wanted.function.name);
    if (before?.codePath === model.codePath) return;
    const stays = before ? 'the one before runs on' : 'it is left out';
    const definition = withVariables(wanted.function, variables);
    const reason = await whyNotModel(host, id, definition);
    if (reason !== undefined) return log(`${reason}; ${stays}`);
    const next = withModel(current, wanted);
    host.define(definition);
    try {
      await register(next);
    } catch (error) {
      // What the registry says then is of the old code, so that has to run.
      if (before) host.define({ ...before, environment: definition.environment });
      else host.remove(definition.name);
      return log(`the model ${id} could not be registered: ${messageOf(error)}; ${stays}`);
    }
    current = next;
    log(`The model ${id} was taken ${before ? 'again ' : ''}in ${Date.now() - started} ms`);
  };
}
