import { type RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, BucketEncryption, type BucketProps } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';

export interface PrivateBucketProps extends BucketProps {
  /** The encryption key. @default a key managed by S3 */
  readonly encryptionKey?: IKey;
  readonly removalPolicy: RemovalPolicy;
  /** The reason why the bucket has no access log, for cdk-nag. */
  readonly unlogged: string;
}

/** Creates a bucket that is encrypted, requires TLS, and blocks public access. */
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
