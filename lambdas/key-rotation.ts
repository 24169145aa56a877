import { systemClock } from '../src/common/clock.ts';
import { type RotationStep, rotateKeys } from '../src/stream/signing/rotate-keys.ts';
import { clients } from './support/clients.ts';

const dependencies = { secrets: clients.secretsManager(), clock: systemClock };

/** Rotates the keys that Milepost's own events are signed with: Secrets Manager asks for each step. */
export const handler = (step: RotationStep): Promise<void> => rotateKeys(dependencies, step);
