import { Annotations, Resource } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';

export const eventBridge = 'events.amazonaws.com';

/**
 * Adds a warning if the key is imported, because the CDK cannot add the permissions that EventBridge needs to the key's
 * policy.
 *
 * @param use what EventBridge does with the key.
 */
export function warnOfImportedKey(
  scope: Construct,
  key: IKey,
  actions: readonly string[],
  use: string,
): void {
  if (Resource.isOwnedResource(key)) return;
  Annotations.of(scope).addWarningV2(
    'milepost:imported-key',
    `the policy of the imported \`encryptionKey\` must allow ${eventBridge} to perform these actions ${use}: ${actions.join(', ')}; add them to the policy`,
  );
}
