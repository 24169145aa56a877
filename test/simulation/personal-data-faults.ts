import type { Faults, Sabotage } from './sabotage.ts';
import { replaced } from './tampering.ts';

/** Each run erases the personal data of instances. */
const erasing: Sabotage = { scenario: { sealed: true, erasing: true } };

/** Faults in the sealing and the erasure of personal data. */
export const personalDataFaults: Faults = {
  'an erasure does not search the history': [
    { ...erasing, history: () => ({ rewrite: () => Promise.resolve({ rewritten: 0 }) }) },
    /in plain text after a search/,
  ],
  'an erasure does not destroy the data key': [
    { ...erasing, dataKeys: (keys) => replaced(keys, { destroy: () => Promise.resolve() }) },
    /is reported as erased/,
  ],
  'processes use a destroyed data key until they end': [
    {
      ...erasing,
      dataKeys: (keys) => {
        const kept = new Map<string, ReturnType<typeof keys.getOrCreate>>();
        return replaced(keys, {
          getOrCreate: (instance) => {
            const name = `${instance.model}#${instance.transaction}`;
            const key = kept.get(name) ?? keys.getOrCreate(instance);
            key.then(
              () => kept.set(name, key),
              () => undefined,
            );
            return key;
          },
        });
      },
    },
    /is sealed with a key that was destroyed/,
  ],
  'personal data is not stored': [
    {
      ...erasing,
      dataKeys: (keys) => replaced(keys, { getOrCreate: () => Promise.resolve('forgotten') }),
    },
    /lacks the data|has the secret/,
  ],
};
