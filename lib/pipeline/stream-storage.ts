import { RemovalPolicy } from 'aws-cdk-lib';
import { StreamEncryption, type StreamProps } from 'aws-cdk-lib/aws-kinesis';
import type { IKey } from 'aws-cdk-lib/aws-kms';

/** How a stream with a fixed name is encrypted, and when it is removed. */
export function streamStorage(
  encryptionKey: IKey | undefined,
  removalPolicy: RemovalPolicy,
): Pick<StreamProps, 'encryption' | 'encryptionKey' | 'removalPolicy'> {
  return {
    encryption: encryptionKey ? StreamEncryption.KMS : StreamEncryption.MANAGED,
    encryptionKey,
    // Left behind by a first deployment that failed, its name would fail the next.
    removalPolicy:
      removalPolicy === RemovalPolicy.RETAIN
        ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE
        : removalPolicy,
  };
}
