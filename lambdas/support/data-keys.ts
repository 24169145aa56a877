import { KmsDataKeys } from '../../src/aws/keys/kms-data-keys.ts';
import { systemClock } from '../../src/common/clock.ts';
import { clients } from './clients.ts';
import { optionalSetting, setting } from './settings.ts';

/**
 * Creates the store of the data keys that seal personal data; undefined if the tracker has none. Reads
 * `MILEPOST_KEYS_TABLE` and `MILEPOST_DATA_KEY`.
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
