import { type RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, BucketEncryption, type BucketProps } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';

export interface PrivateBucketProps extends BucketProps {
  /** @default a key that S3 manages */
  readonly encryptionKey?: IKey;
  readonly removalPolicy: RemovalPolicy;
  /** Why who reads it is written down nowhere. */
  readonly unlogged: string;
}

/** A bucket that is encrypted, takes no request without TLS, and is open to nobody. */
export function privateBucket(
  scope: Construct,
  id: string,
  { unlogged, encryptionKey, ...props }: PrivateBucketProps,
): Bucket {
  const bucket = new Bucket(scope, id, {
    ...props,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: encryptionKey ? BucketEncryption.KMS : BucketEncryption.S3_MANAGED,
    encryptionKey,
    bucketKeyEnabled: encryptionKey !== undefined,
    enforceSSL: true,
  });
  Validations.of(bucket).acknowledge({ id: 'AwsSolutions-S1', reason: unlogged });
  return bucket;
}
