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

/** A request for `Custom::MilepostModel`: the members of CloudFormation's request that are used. */
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
 * The handler of `Custom::MilepostModel`, which keeps a model in the registry while the resource is in the
 * stack. The physical id is the model's id, so a changed id makes CloudFormation delete the old resource.
 *
 * @param onRegistered called after each registration.
 * @throws MilepostError `bad-request` if ModelId, FunctionArn or FunctionVersion is missing or invalid.
 */
export function modelResourceHandler(
  dependencies: RegisterModelDependencies,
  onRegistered: (registered: RegistrationResult) => void = () => {},
) {
  return async (request: ModelResourceRequest, signal: AbortSignal): Promise<string> => {
    const parsed = v.safeParse(properties, request.ResourceProperties);
    if (request.RequestType === 'Delete') {
      // CloudFormation also deletes resources that it failed to create, and this must not fail then.
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
