import { Stack } from 'aws-cdk-lib';
import type { Bucket } from 'aws-cdk-lib/aws-s3';

/** What a template calls a bucket, which is what findings of cdk-nag call it. */
export function logicalId(bucket: Bucket): string {
  const { Ref }: { Ref: string } = Stack.of(bucket).resolve(bucket.bucketName);
  return Ref;
}
