import { readFileSync } from 'node:fs';
import type { FunctionDefinition } from '../../aws-local/lambda/function-definition.ts';
import type { LambdaHost } from '../../aws-local/lambda/lambda-host.ts';
import { StartError } from '../../aws-local/server/start-error.ts';
import { messageOf } from '../../common/message-of.ts';
import { reasonWithPlace } from '../../core/history/reason.ts';
import { parseDescription } from '../../core/model/registry-entry.ts';
import { SourceMaps } from '../../core/model/source-maps.ts';
import { frameIn } from '../../core/model/stack-frames.ts';
import type { ServiceDefinition } from '../template/service-definition.ts';
import { deployedModels } from './with-models.ts';

/**
 * Runs a model's code as a temporary function, in addition to the version that may already be running, and requests the
 * model's description.
 *
 * @param definition the function of the model, with all environment variables.
 * @returns the reason why the model is invalid, in one line; undefined if it is valid.
 */
export async function modelProblem(
  host: LambdaHost,
  id: string,
  definition: FunctionDefinition,
): Promise<string | undefined> {
  const name = `${definition.name}-check`;
  host.define({ ...definition, name, arn: definition.arn.replace(/[^:]+$/, name) });
  try {
    const { payload, functionError } = await host.invoke({
      functionName: name,
      payload: JSON.stringify({ op: 'describe' }),
    });
    if (functionError) return `the model ${id} does not load: ${failureMessage(payload)}`;
    const description = parseDescription(JSON.parse(payload));
    if (description.id !== id)
      return `the folder ${id} contains the model "${description.id}"; the folder's name and the model's id must be the same`;
    return undefined;
  } catch (error) {
    return `the model ${id} returned no valid description; its handler must be the result of serve(model): ${messageOf(error)}`;
  } finally {
    host.remove(name);
  }
}

/**
 * Finds the model that made a deployment fail: the first model that is invalid. Returns its error, with the location in
 * the model's source if it is known. Returns undefined if all models are valid: the failure then has another cause.
 */
export async function findFaultyModel(
  service: ServiceDefinition,
  host: LambdaHost,
  cause: unknown,
): Promise<StartError | undefined> {
  for (const { modelId, function: definition } of deployedModels(service)) {
    const defined = host.definitions().find(({ name }) => name === definition.name);
    const reason = await modelProblem(host, modelId, defined ?? definition);
    if (reason !== undefined) return new StartError(reason, { cause });
  }
  return undefined;
}

function failureMessage(payload: string): string {
  const { errorType, errorMessage, trace } = JSON.parse(payload) as FunctionError;
  if (errorType === 'Runtime.HandlerNotFound')
    return 'its lambda.ts must export the result of serve(model) as `handler`';
  return reasonWithPlace(
    `${errorType}: ${String(errorMessage).replaceAll(/\s+/g, ' ')}`,
    ownLocation(trace ?? []),
  );
}

/** The payload that Lambda returns for a function error. */
interface FunctionError {
  readonly errorType?: string;
  readonly errorMessage?: string;
  readonly trace?: readonly string[];
}

/** Returns the location of the topmost stack frame in the model's own code. */
function ownLocation(trace: readonly string[]): string | undefined {
  const maps = new SourceMaps((path) => readFileSync(path, 'utf8'));
  return trace
    .flatMap((line) => frameIn(line) ?? [])
    .map((frame) => maps.placeOf(frame))
    .find((found) => found?.isOwn)?.place;
}
