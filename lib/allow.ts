import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';

/**
 * Grants a function or role permission to perform the actions on the resources.
 *
 * @param conditions the conditions by operator and key. Default: none.
 */
export function allow(
  { grantPrincipal }: IGrantable,
  actions: readonly string[],
  resources: readonly string[],
  conditions?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>,
): void {
  grantPrincipal.addToPrincipalPolicy(
    new PolicyStatement({ actions: [...actions], resources: [...resources], conditions }),
  );
}
