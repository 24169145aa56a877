import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { CfnRotationSchedule, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { allow } from '../allow.ts';
import { requireDuration } from '../options/require-duration.ts';
import { ServiceFunction, type ServiceProps } from '../service-function.ts';
import { grantReadSecret } from './grant-read-secret.ts';
import { secretArn } from './secret-arn.ts';

export interface SigningKeysProps extends ServiceProps {
  readonly encryptionKey?: IKey;
  readonly rotation: Duration | 'none';
}

/** The secret with the keys that sign Milepost's own events, and the function that rotates them. */
export class SigningKeys extends Construct {
  readonly secret: Secret;
  /** The function that rotates the keys; undefined if the rotation is disabled. */
  readonly rotation?: ServiceFunction;

  /** @throws MilepostError `bad-request` for a rotation interval that Secrets Manager does not support. */
  constructor(scope: Construct, id: string, props: SigningKeysProps) {
    super(scope, id);
    const { encryptionKey, removalPolicy } = props;
    const days = daysOf(props.rotation);
    this.secret = new Secret(this, 'Secret', {
      description:
        'Milepost: the keys that sign its own events; see docs/how-to/rotate-signing-keys.md',
      encryptionKey,
      removalPolicy,
      // The first key of the key ring. The id of a key is the time, in seconds since 1970, from which it is used for
      // signing, here 0.
      generateSecretString: {
        passwordLength: 64,
        excludePunctuation: true,
        secretStringTemplate: '{}',
        generateStringKey: '0',
      },
    });
    if (days !== undefined) this.rotation = this.#rotateEvery(days, props);
    else
      Validations.of(this.secret).acknowledge({
        id: 'AwsSolutions-SMG4',
        reason: "The app disables the rotation with signingKeyRotation: 'none'.",
      });
  }

  /** Grants a function permission to read the keys, so it can sign and verify events. */
  grantRead(fn: Function): void {
    grantReadSecret(fn, this.secret, 'MILEPOST_SIGNING_KEYS');
  }

  /**
   * Schedules the rotation. Unlike Secret.addRotationSchedule, this does not permit the function to generate passwords.
   */
  #rotateEvery(days: number, props: SigningKeysProps): ServiceFunction {
    const arn = secretArn(this.secret);
    const rotation = new ServiceFunction(this, 'Rotation', {
      ...props,
      bundle: 'key-rotation',
      description: 'Milepost: rotates the keys that sign its own events',
      memorySize: 256,
      timeout: Duration.minutes(1),
      environment: {},
    });
    allow(
      rotation.function,
      [
        'secretsmanager:GetSecretValue',
        'secretsmanager:PutSecretValue',
        'secretsmanager:UpdateSecretVersionStage',
      ],
      [arn],
    );
    this.secret.encryptionKey?.grantEncryptDecrypt(rotation.function);
    const permission = 'SecretsManager';
    rotation.function.addPermission(permission, {
      principal: new ServicePrincipal('secretsmanager.amazonaws.com'),
      sourceAccount: Stack.of(this).account,
    });
    const schedule = new CfnRotationSchedule(this, 'Schedule', {
      secretId: arn,
      rotationLambdaArn: rotation.function.functionArn,
      rotationRules: { automaticallyAfterDays: days },
      // The first key is new when the stack is created, so it does not need to be rotated immediately.
      rotateImmediatelyOnUpdate: false,
    });
    // Secrets Manager tests the function when the schedule is created.
    schedule.node.addDependency(rotation.role, rotation.function.node.findChild(permission));
    return rotation;
  }
}

/** @throws MilepostError `bad-request` for a rotation interval that Secrets Manager does not support. */
function daysOf(rotation: Duration | 'none'): number | undefined {
  if (rotation === 'none') return undefined;
  requireDuration("`signingKeyRotation`, unless it is 'none',", rotation, 'days', 1, 1_000);
  return rotation.toDays();
}
