import { FeatureFlags, Resource } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { KMS_APPLY_IMPORTED_ALIAS_PERMISSIONS_TO_PRINCIPAL } from 'aws-cdk-lib/cx-api';
import type { Construct } from 'constructs';
import { MilepostError } from '../../src/core/errors.ts';

/**
 * Rejects the imported alias of a key, because the functions would receive no permission to use the key: an IAM policy
 * cannot contain the ARN of an alias. With a feature flag, the CDK grants the permission by the name of the alias.
 *
 * @throws MilepostError `bad-request` for such an alias.
 * @see https://docs.aws.amazon.com/kms/latest/developerguide/cmks-in-iam-policies.html
 */
export function requireKey(scope: Construct, subject: string, key: IKey): void {
  if (Resource.isOwnedResource(key) || !key.keyArn.includes(':alias/')) return;
  const flag = KMS_APPLY_IMPORTED_ALIAS_PERMISSIONS_TO_PRINCIPAL;
  if ('aliasName' in key && FeatureFlags.of(scope).isEnabled(flag)) return;
  throw new MilepostError(
    'bad-request',
    `${subject} must not be an imported alias, because the tracker's functions would have no permission to use the key; ` +
      `got "${key.keyArn.replace(/^.*:alias\//, 'alias/')}"; import the key with Key.fromKeyArn() and the ARN of the key, or with Key.fromLookup()`,
  );
}
