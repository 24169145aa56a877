import { expect, it } from 'vitest';
import { prestartedFunctions } from '../../../src/local/deploy/prestarted-functions.ts';
import { appService } from '../../../src/local/template/app-service.ts';

it('only the dispatcher and the API start before their first invocation', async () => {
  const service = await appService({ PATH: process.env.PATH });
  const names = [...prestartedFunctions(service)].map((name) => name.replace(/[0-9A-F]{8}$/, ''));
  expect(names.toSorted()).toEqual([
    'Milepost-TrackerApiFunction',
    'Milepost-TrackerDispatcherFunction',
  ]);
}, 60_000);
