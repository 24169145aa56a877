import type { Function } from 'aws-cdk-lib/aws-lambda';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { allow } from '../allow.ts';
import { secretArn } from './secret-arn.ts';

/**
 * Grants a function permission to read a secret, and passes the secret's ARN to the function.
 *
 * @param variable the environment variable for the ARN.
 */
export function grantReadSecret(fn: Function, secret: Secret, variable: string): void {
  // Unlike Secret.grantRead, this does not permit describing the secret.
  allow(fn, ['secretsmanager:GetSecretValue'], [secretArn(secret)]);
  secret.encryptionKey?.grantDecrypt(fn);
  fn.addEnvironment(variable, secretArn(secret));
}
