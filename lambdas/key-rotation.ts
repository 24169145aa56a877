import { systemClock } from '../src/common/clock.ts';
import { type RotationStep, rotateKeys } from '../src/stream/signing/rotate-keys.ts';
import { clients } from './support/clients.ts';

const dependencies = { secrets: clients.secretsManager(), clock: systemClock };

/**
 * Rotates the keys that sign Milepost's own events. Secrets Manager invokes this function for each step of a rotation.
 */
export const handler = (step: RotationStep): Promise<void> => rotateKeys(dependencies, step);
