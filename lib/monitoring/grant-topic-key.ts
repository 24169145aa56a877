import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { warnOfImportedKey } from '../keys/warn-of-imported-key.ts';

const service = 'cloudwatch.amazonaws.com';
const actions = ['kms:Decrypt', 'kms:GenerateDataKey*'];

/**
 * Grants the alarms of this account a permission that the CDK does not grant: to use the key that encrypts the topic.
 * Without the permission, alarms go off but the topic receives nothing. Adds a warning if the key is imported.
 *
 * @see https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html#compatibility-with-aws-services
 */
export function grantTopicKey(scope: Construct, { masterKey }: ITopic): void {
  if (!masterKey) return;
  masterKey.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal(service)],
      actions,
      resources: ['*'],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  warnOfImportedKey(scope, masterKey, {
    keyName: 'imported key of `alarmTopic`',
    service,
    actions,
    purpose: 'to send alarms to the topic',
  });
}
