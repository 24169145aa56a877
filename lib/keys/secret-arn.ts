import type { CfnSecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';

/**
 * Returns the ARN of a secret from its attribute. `Secret.secretArn` is a `Ref`. AWS resolves it to the ARN as well,
 * but some emulators resolve it to the name, which no permission matches.
 */
export const secretArn = (secret: Secret): string => (secret.node.defaultChild as CfnSecret).attrId;
