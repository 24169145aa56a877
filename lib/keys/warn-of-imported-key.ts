import { Annotations, Resource } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';

/**
 * Adds a warning if a service needs permissions in the policy of a key, but the key was imported, so the CDK cannot
 * change its policy.
 *
 * @param use what the service does with the key
 */
export function warnOfImportedKey(
  scope: Construct,
  key: IKey,
  service: string,
  actions: readonly string[],
  use: string,
): void {
  if (Resource.isOwnedResource(key)) return;
  Annotations.of(scope).addWarningV2(
    'milepost:imported-key',
    `the policy of the imported \`encryptionKey\` must allow ${service} the actions ${actions.join(', ')}, ${use}; add them to the policy of the key`,
  );
}
