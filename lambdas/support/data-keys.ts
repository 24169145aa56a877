import { KmsDataKeys } from '../../src/aws/keys/kms-data-keys.ts';
import { systemClock } from '../../src/common/clock.ts';
import { clients } from './clients.ts';
import { optionalSetting, setting } from './settings.ts';

/**
 * Creates the store of the data keys that seal personal data. Reads `MILEPOST_KEYS_TABLE` and `MILEPOST_DATA_KEY`.
 *
 * @returns undefined if `MILEPOST_KEYS_TABLE` is not set, because the tracker does not have the option `personalData`.
 */
export function dataKeys(): KmsDataKeys | undefined {
  const table = optionalSetting('MILEPOST_KEYS_TABLE');
  if (table === undefined) return undefined;
  return new KmsDataKeys({
    database: clients.dynamoDb(),
    table,
    kms: clients.kms(),
    keyArn: setting('MILEPOST_DATA_KEY'),
    clock: systemClock,
  });
}
