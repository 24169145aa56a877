import * as v from 'valibot';
import { MilepostError } from '../core/errors.ts';
import { modelIdPattern } from '../core/event/event.ts';
import { isFunctionVersion } from '../core/model/model-version.ts';
import type { RegistrationResult } from './register-model.ts';
import {
  type RegisterModelDependencies,
  registerModel,
  unregisterModel,
} from './register-model.ts';

/** A request for `Custom::MilepostModel`, with the members of CloudFormation's request that it needs. */
export interface ModelResourceRequest {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  readonly LogicalResourceId: string;
  readonly PhysicalResourceId?: string;
  readonly ResourceProperties: Readonly<Record<string, unknown>>;
}

const properties = v.object({
  ModelId: v.pipe(v.string(), v.regex(modelIdPattern)),
  FunctionArn: v.pipe(v.string(), v.nonEmpty()),
  FunctionVersion: v.optional(v.custom<string>(isFunctionVersion)),
});

/**
 * The work of `Custom::MilepostModel`: the model is in the registry while the resource is in the
 * stack. Its physical id is the model's id, so that another id makes CloudFormation delete the old.
 *
 * @param onRegistered is told of each registration that was made.
 * @throws MilepostError `bad-request` when the resource has no valid ModelId, FunctionArn and FunctionVersion
 */
export function modelResourceHandler(
  dependencies: RegisterModelDependencies,
  onRegistered: (registered: RegistrationResult) => void = () => {},
) {
  return async (request: ModelResourceRequest, signal: AbortSignal): Promise<string> => {
    const parsed = v.safeParse(properties, request.ResourceProperties);
    if (request.RequestType === 'Delete') {
      // What could not be created still gets deleted, and must not keep the stack from going.
      if (parsed.success) await unregisterModel(dependencies, registrationOf(parsed.output));
      return request.PhysicalResourceId ?? request.LogicalResourceId;
    }
    if (!parsed.success)
      throw new MilepostError(
        'bad-request',
        'the resource needs a valid ModelId, FunctionArn and FunctionVersion',
      );
    const registered = await registerModel(dependencies, registrationOf(parsed.output), signal);
    onRegistered(registered);
    return registered.entry.id;
  };
}

function registrationOf(given: v.InferOutput<typeof properties>) {
  const { ModelId, FunctionArn, FunctionVersion } = given;
  return { modelId: ModelId, functionArn: FunctionArn, functionVersion: FunctionVersion };
}
