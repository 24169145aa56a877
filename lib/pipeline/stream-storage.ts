import { RemovalPolicy } from 'aws-cdk-lib';
import { StreamEncryption, type StreamProps } from 'aws-cdk-lib/aws-kinesis';
import type { IKey } from 'aws-cdk-lib/aws-kms';

/** The encryption and removal policy of a stream with a fixed name. */
export function streamStorage(
  encryptionKey: IKey | undefined,
  removalPolicy: RemovalPolicy,
): Pick<StreamProps, 'encryption' | 'encryptionKey' | 'removalPolicy'> {
  return {
    encryption: encryptionKey ? StreamEncryption.KMS : StreamEncryption.MANAGED,
    encryptionKey,
    // A stream that a failed first deployment left behind would block the next one by its name.
    removalPolicy:
      removalPolicy === RemovalPolicy.RETAIN
        ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE
        : removalPolicy,
  };
}
