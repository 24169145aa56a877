import { createHash } from 'node:crypto';
import type { InstanceKey } from '../../src/core/event/event.ts';
import type { DataKeys } from '../../src/stores/data-keys.ts';
import type { Environment } from './environment.ts';
import type { Account } from './lambdas.ts';

/**
 * Creates the data keys of a process, which decrypts them with KMS. Returns undefined in a run without personal data.
 */
export function dataKeysIn({ sealed }: Account, environment: Environment): DataKeys | undefined {
  if (!sealed) return undefined;
  const read = ({ model, transaction }: InstanceKey) =>
    environment.call(() => `Decrypt ${model}#${transaction}`, {
      service: 'kms',
      effect: () =>
        Promise.resolve(createHash('sha256').update(`${model}#${transaction}`).digest()),
    });
  const forget = () => Promise.reject(new Error('the simulation does not destroy data keys'));
  const isDestroyed = () => Promise.resolve(false);
  return { getOrCreate: read, get: read, isDestroyed, destroy: forget };
}
