import { randomBytes } from 'node:crypto';
import type { Clock } from '../../common/clock.ts';
import { MilepostError } from '../../core/errors.ts';
import { hasLeadTime, readKeyRing, withNewKey } from '../../core/event/key-ring.ts';

/**
 * A rotation step, as sent by Secrets Manager.
 *
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_lambda-functions.html
 */
export interface RotationStep {
  readonly SecretId: string;
  /** The id of the version that the rotation makes current. */
  readonly ClientRequestToken: string;
  readonly Step: 'createSecret' | 'setSecret' | 'testSecret' | 'finishSecret';
}

/** Reads and changes the versions of a secret during a rotation. */
export interface SecretVersions {
  current(secret: string): Promise<{ readonly id: string; readonly value: string }>;
  pending(secret: string, version: string): Promise<string | undefined>;
  putPending(
    secret: string,
    version: { readonly id: string; readonly value: string },
  ): Promise<void>;
  promote(secret: string, version: string, from: string): Promise<void>;
  withdraw(secret: string, version: string): Promise<void>;
}

export interface RotateKeysDependencies {
  readonly secrets: SecretVersions;
  readonly clock: Clock;
}

/**
 * Performs one step of a rotation, which adds a key to a tracker's ring. Repeating a step has no further effect.
 *
 * @throws MilepostError `bad-secret` if the secret is not a key ring, `bad-request` if the step is unknown or the
 *   rotation began too long ago.
 */
export async function rotateKeys(
  { secrets, clock }: RotateKeysDependencies,
  { SecretId: secret, ClientRequestToken: version, Step: step }: RotationStep,
): Promise<void> {
  switch (step) {
    case 'createSecret': {
      if ((await secrets.pending(secret, version)) !== undefined) return;
      const current = await secrets.current(secret);
      if (current.id === version) return;
      const value = withNewKey(current.value, clock.now(), randomBytes(32).toString('base64url'));
      await secrets.putPending(secret, { id: version, value });
      return;
    }
    case 'setSecret':
      return; // No other system stores the keys: functions read the ring from the secret.
    case 'testSecret':
      // Secrets Manager also runs this step when a rotation schedule is set. In this case, no version is pending.
      readKeyRing(
        (await secrets.pending(secret, version)) ?? (await secrets.current(secret)).value,
      );
      return;
    case 'finishSecret': {
      const current = await secrets.current(secret);
      if (current.id === version) return;
      const value = (await secrets.pending(secret, version)) ?? '';
      if (!hasLeadTime(value, clock.now())) {
        await secrets.withdraw(secret, version);
        throw new MilepostError(
          'bad-request',
          'the rotation began too long ago, so its key would sign before every function has read it; rotate again',
        );
      }
      await secrets.promote(secret, version, current.id);
      return;
    }
    default:
      throw new MilepostError(
        'bad-request',
        `\`Step\` must be createSecret, setSecret, testSecret, or finishSecret; got ${String(step)}`,
      );
  }
}
