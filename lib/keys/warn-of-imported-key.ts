import { Annotations, Resource } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';

export const eventBridge = 'events.amazonaws.com';

/** The permissions that an AWS service needs to use a key. */
export interface KeyUse {
  /** The key, as the warning names it, such as 'imported `encryptionKey`'. */
  readonly keyName: string;
  /** The service principal. */
  readonly service: string;
  readonly actions: readonly string[];
  /** The reason for the actions, such as 'to encrypt notifications on the bus'. */
  readonly purpose: string;
}

/**
 * Adds a warning if the key is imported, because the CDK cannot add the permissions that a service needs to the key's
 * policy.
 */
export function warnOfImportedKey(
  scope: Construct,
  key: IKey,
  { keyName, service, actions, purpose }: KeyUse,
): void {
  if (Resource.isOwnedResource(key)) return;
  Annotations.of(scope).addWarningV2(
    'milepost:imported-key',
    `the policy of the ${keyName} must allow ${service} to perform these actions ${purpose}: ${actions.join(', ')}; add them to the policy`,
  );
}
