import { expect, it } from 'vitest';
import { readShellBlocks } from '../support/docs/runbooks.ts';
import { apiDrills } from './drills/api.ts';
import { archiveDrills } from './drills/archive.ts';
import { canaryDrills } from './drills/canary.ts';
import { keyDrills } from './drills/keys.ts';
import { notificationDrills } from './drills/notifications.ts';
import { practice } from './practice.ts';
import { procedures } from './procedures.ts';

const drills = {
  ...notificationDrills,
  ...apiDrills,
  ...archiveDrills,
  ...canaryDrills,
  ...keyDrills,
};

practice(drills, (world) => {
  it.each(Object.entries(procedures))(
    'the commands in %s succeed',
    async (path, procedure) => {
      await expect(procedure(world(), await readShellBlocks(path))).resolves.toBeUndefined();
    },
    90_000,
  );
});
