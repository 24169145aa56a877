import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zoneModule } from './zones/zone-module.ts';

/*
 * Writes the offset changes of all time zones to `src/core/calendar/zones/tzdata.ts`, from the installed version of
 * `moment-timezone`.
 */
const root = join(import.meta.dirname, '..');
const read = (file: string) =>
  readFile(join(root, 'node_modules', 'moment-timezone', file), 'utf8');
await writeFile(
  join(root, 'src', 'core', 'calendar', 'zones', 'tzdata.ts'),
  zoneModule(await read('data/packed/latest.json'), await read('changelog.md')),
);
