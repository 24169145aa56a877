import pMap from 'p-map';
import type { ModelRegistry } from '../../stores/model-registry.ts';
import { versionsToActivate } from '../registry/roll-back.ts';
import type { ModelVersions } from '../stores/model-versions.ts';
import { type Check, ok, warning } from './check.ts';
import { countText } from './phrases.ts';

/** The maximum number of models whose versions are read in parallel. */
const concurrency = 8;

/** Checks that models are registered and that each model applies events with its newest code. */
export function modelCheck(
  models: Pick<ModelRegistry, 'list'>,
  versions: Pick<ModelVersions, 'versions'>,
): Check {
  return {
    id: 'models',
    async run() {
      const entries = await models.list();
      if (entries.length === 0)
        return warning('no model is registered, so every event becomes a dead letter');
      const found = await pMap(
        entries,
        async (entry) => {
          const [newest] = versionsToActivate(entry, await versions.versions(entry.id));
          return { ...entry, newest: newest?.functionVersion };
        },
        { concurrency },
      );
      const older = found.filter(
        ({ functionVersion, newest }) => newest !== functionVersion && newest !== undefined,
      );
      const [first] = older;
      if (!first) return ok(`${countText(entries.length, 'model')}, each with its newest code`);
      const others = older.length > 1 ? `; ${older.length - 1} more rolled back` : '';
      return warning(
        `${first.id} is rolled back to function version ${first.functionVersion}; the newest is ${first.newest}${others}`,
        older.map(({ id }) => `milepost versions ${id}`).join('\n'),
      );
    },
  };
}
