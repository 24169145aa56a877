import * as v from 'valibot';
import { MilepostError } from '../core/errors.ts';
import { modelIdPattern } from '../core/event/event.ts';
import { isFunctionVersion } from '../core/model/model-version.ts';
import {
  type RegisterModelDependencies,
  type RegistrationResult,
  registerModel,
  unregisterModel,
} from './register-model.ts';

/** A CloudFormation request for a `Custom::MilepostModel` resource, reduced to the members that the handler uses. */
export interface ModelResourceRequest {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  readonly StackId: string;
  readonly LogicalResourceId: string;
  readonly PhysicalResourceId?: string;
  /** When CloudFormation sent the request, in milliseconds since 1970; undefined if unknown. */
  readonly requestedAt?: number;
  readonly ResourceProperties: Readonly<Record<string, unknown>>;
}

const properties = v.object({
  ModelId: v.pipe(v.string(), v.regex(modelIdPattern)),
  FunctionArn: v.pipe(v.string(), v.nonEmpty()),
  FunctionVersion: v.optional(v.custom<string>(isFunctionVersion)),
});

/**
 * Creates the handler for `Custom::MilepostModel`, a resource that keeps a model registered as long as the resource is
 * in the stack. The physical id is the model's id, so CloudFormation deletes the old resource when the id changes.
 *
 * @param onRegistered called after each update that a later request has not superseded. It can delete old versions.
 * @returns the handler. For a creation or an update, it throws a MilepostError `bad-request` if ModelId or FunctionArn
 *   is missing or invalid, or FunctionVersion is invalid.
 */
export function modelResourceHandler(
  dependencies: RegisterModelDependencies,
  onRegistered: (registered: RegistrationResult) => void = () => {},
) {
  return async (request: ModelResourceRequest, signal: AbortSignal): Promise<string> => {
    const parsed = v.safeParse(properties, request.ResourceProperties);
    if (request.RequestType === 'Delete') {
      // CloudFormation also deletes resources that it failed to create, and their deletion must not fail.
      if (parsed.success)
        await unregisterModel(dependencies, registrationOf(request, parsed.output));
      return request.PhysicalResourceId ?? request.LogicalResourceId;
    }
    if (!parsed.success) {
      const { ModelId, FunctionArn, FunctionVersion } = request.ResourceProperties;
      const got = JSON.stringify({ ModelId, FunctionArn, FunctionVersion });
      throw new MilepostError(
        'bad-request',
        `ModelId must be a valid model id, FunctionArn must not be empty, and FunctionVersion, if set, must be a number; got ${got}`,
      );
    }
    const registration = registrationOf(request, parsed.output);
    const registered = await registerModel(dependencies, registration, signal);
    // The rollback of a creation can restore the versions of the resource that the creation replaced.
    if (registered !== 'superseded' && request.RequestType === 'Update') onRegistered(registered);
    return registration.modelId;
  };
}

function registrationOf(
  { RequestType, StackId, LogicalResourceId, requestedAt }: ModelResourceRequest,
  { ModelId, FunctionArn, FunctionVersion }: v.InferOutput<typeof properties>,
) {
  return {
    type: RequestType,
    resource: `${StackId}/${LogicalResourceId}`,
    modelId: ModelId,
    functionArn: FunctionArn,
    functionVersion: FunctionVersion,
    requestedAt,
  };
}
