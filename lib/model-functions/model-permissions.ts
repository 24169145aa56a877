import { Validations } from 'aws-cdk-lib';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { allow } from '../allow.ts';
import { logicalId } from '../logical-id.ts';
import type { ServiceFunction } from '../service-function.ts';
import type { Registrar } from './registrar.ts';

/**
 * Grants `invoker` permission to invoke a model's function. The CDK's `grantInvoke` would include all versions and
 * aliases.
 */
export function grantInvoke(invoker: ServiceFunction, model: Function): void {
  allow(invoker.function, ['lambda:InvokeFunction'], [model.functionArn]);
}

/**
 * Grants the registrar permission to delete versions of a model's function. The pattern does not match the function
 * itself.
 */
export function grantRetireVersions(registrar: Registrar, model: Function): void {
  allow(registrar.function, ['lambda:ListVersionsByFunction'], [model.functionArn]);
  allow(registrar.function, ['lambda:DeleteFunction'], [`${model.functionArn}:*`]);
  Validations.of(registrar.role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::<${logicalId(model)}.Arn>:*]`,
    reason:
      'Any version can become obsolete and is then deleted. The pattern covers versions but not the function itself.',
  });
}

/** Grants permission to invoke a model's function and its published versions, which a rollback can activate. */
export function grantInvokeVersions(invoker: ServiceFunction, model: Function): void {
  const resources = [model.functionArn, `${model.functionArn}:*`];
  allow(invoker.function, ['lambda:InvokeFunction'], resources);
  Validations.of(invoker.role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::<${logicalId(model)}.Arn>:*]`,
    reason:
      'Every deployment that changes the function publishes a version, and a rollback can activate an earlier version.',
  });
}
