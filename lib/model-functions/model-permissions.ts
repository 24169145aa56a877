import { Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { logicalId } from '../logical-id.ts';
import type { ServiceFunction } from '../service-function.ts';
import type { Registrar } from './registrar.ts';

/** Lets `invoker` invoke a model's function. `grantInvoke` of the CDK would allow every version and alias. */
export function grantInvoke(invoker: ServiceFunction, model: Function): void {
  const resources = [model.functionArn];
  invoker.function.addToRolePolicy(
    new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources }),
  );
}

/** Lets the registrar delete versions of a model's function. The pattern does not match the function itself. */
export function grantRetireVersions(registrar: Registrar, model: Function): void {
  registrar.function.addToRolePolicy(
    new PolicyStatement({
      actions: ['lambda:ListVersionsByFunction'],
      resources: [model.functionArn],
    }),
  );
  registrar.function.addToRolePolicy(
    new PolicyStatement({
      actions: ['lambda:DeleteFunction'],
      resources: [`${model.functionArn}:*`],
    }),
  );
  Validations.of(registrar.role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::<${logicalId(model)}.Arn>:*]`,
    reason:
      'Any version may become too old. The pattern covers versions, and not the function itself.',
  });
}

/** Also the versions of its code that were published: after a rollback it is one of them. */
export function grantInvokeVersions(invoker: ServiceFunction, model: Function): void {
  const resources = [model.functionArn, `${model.functionArn}:*`];
  invoker.function.addToRolePolicy(
    new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources }),
  );
  Validations.of(invoker.role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::<${logicalId(model)}.Arn>:*]`,
    reason: 'A version is published with every deployment, and any of them may be gone back to.',
  });
}
