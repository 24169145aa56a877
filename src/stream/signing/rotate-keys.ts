import { randomBytes } from 'node:crypto';
import type { Clock } from '../../common/clock.ts';
import { MilepostError } from '../../core/errors.ts';
import { hasLeadTime, readKeyRing, withNewKey } from '../../core/event/key-ring.ts';

/**
 * A step of a rotation, as Secrets Manager asks for it.
 *
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/rotate-secrets_lambda-functions.html
 */
export interface RotationStep {
  readonly SecretId: string;
  /** The id of the version that is to become the current one. */
  readonly ClientRequestToken: string;
  readonly Step: 'createSecret' | 'setSecret' | 'testSecret' | 'finishSecret';
}

/** The versions of a secret. */
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

/** What rotating keys needs around it. */
export interface RotateKeysDependencies {
  readonly secrets: SecretVersions;
  readonly clock: Clock;
}

/**
 * Does one step of a rotation, which adds a key to the ring of a tracker. Doing a step again changes
 * nothing.
 *
 * @throws MilepostError `bad-secret` where the secret has no key ring, `bad-request` for an unknown step
 *   and for a rotation that began too long ago.
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
      return; // The functions read the ring themselves.
    case 'testSecret':
      // Secrets Manager also tests when a schedule is set: then nothing is pending.
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
          'the rotation began too long ago: its key would sign before all functions know it; rotate again',
        );
      }
      await secrets.promote(secret, version, current.id);
      return;
    }
    default:
      throw new MilepostError('bad-request', `a rotation has no step ${String(step)}`);
  }
}
