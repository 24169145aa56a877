import type { CfnSecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';

/**
 * The ARN of a secret, by its attribute. `Secret.secretArn` is a `Ref`, which AWS resolves to the ARN as well, but
 * some emulators to the name, which no permission matches.
 */
export const secretArn = (secret: Secret): string => (secret.node.defaultChild as CfnSecret).attrId;
