import { RemovalPolicy } from 'aws-cdk-lib';
import { StreamEncryption, type StreamProps } from 'aws-cdk-lib/aws-kinesis';
import type { IKey } from 'aws-cdk-lib/aws-kms';

/** Returns the encryption and removal policy of a stream with a fixed name. */
export function streamStorage(
  encryptionKey: IKey | undefined,
  removalPolicy: RemovalPolicy,
): Pick<StreamProps, 'encryption' | 'encryptionKey' | 'removalPolicy'> {
  return {
    encryption: encryptionKey ? StreamEncryption.KMS : StreamEncryption.MANAGED,
    encryptionKey,
    // If the first deployment fails, delete the stream. Otherwise, the next deployment could not create a stream with
    // this name.
    removalPolicy:
      removalPolicy === RemovalPolicy.RETAIN
        ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE
        : removalPolicy,
  };
}
