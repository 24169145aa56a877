import type { CfnSecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';

/**
 * Returns the ARN of a secret from its `Id` attribute. `Secret.secretArn` is a `Ref`. AWS resolves the `Ref` to the
 * ARN, but some emulators resolve it to the name of the secret, which does not match the ARN in permissions.
 */
export const secretArn = (secret: Secret): string => (secret.node.defaultChild as CfnSecret).attrId;
