import moment from 'moment-timezone';

/** The first and the last year whose offset changes `tzdata.ts` contains. */
const [firstYear, lastYear] = [1970, 2050];

/** A zone with its offset changes, each as the minutes since the previous change and the difference in minutes. */
interface Zone {
  readonly name: string;
  readonly offset: number;
  readonly changes: readonly string[];
}

/**
 * Returns the source of `tzdata.ts`.
 *
 * @param data moment-timezone's packed data.
 * @param changelog moment-timezone's changelog, whose first entry states the release date and the version of the data.
 */
export function zoneModule(data: string, changelog: string): string {
  const { version, zones, links } = JSON.parse(data) as PackedData;
  const [, released, entry] = /^### `\S+` _(\d{4}-\d\d-\d\d)_\n([^#]*)/.exec(changelog) ?? [];
  if (!entry?.includes(version))
    throw new Error(
      `the first entry of moment-timezone's changelog must have a date and mention version ${version} of the data`,
    );
  const lines = zoneLines(zones.map((packed) => zone(packed.split('|')[0]!)));
  const aliases = links.map((link) => link.split('|')).map(([name, alias]) => `${alias} =${name}`);
  return [
    '/**',
    ` * The offset changes of all time zones from ${firstYear} to ${lastYear}, from the IANA Time Zone Database. Created by \`npm run zones\`.`,
    ' *',
    ' * The first line contains the version of the database and the date of its release. Every other line contains a zone,',
    ' * its first offset, and each change as the time since the previous change and the difference in offset, in minutes.',
    ' * `@Zone n` stands for the last `n` changes of `Zone`; `=Zone` marks an alias of `Zone`. All numbers are in base 36.',
    ' */',
    `export const tzdata = \`tzdata ${version} ${released}`,
    ...[...lines, ...aliases].toSorted(),
    '`;',
    '',
  ].join('\n');
}

interface PackedData {
  readonly version: string;
  readonly zones: readonly string[];
  readonly links: readonly string[];
}

function zone(name: string): Zone {
  const { untils, offsets } = moment.tz.zone(name)!;
  const [start, end] = [Date.UTC(firstYear, 0), Date.UTC(lastYear + 1, 0)];
  const first = untils.findIndex((until) => until === null || until > start);
  const changes: string[] = [];
  let previous = start / 60_000;
  for (let i = first; untils[i] !== null && untils[i]! < end; i++) {
    const difference = offsetOf(offsets[i + 1]!) - offsetOf(offsets[i]!);
    const at = Math.round(untils[i]! / 60_000);
    if (difference === 0) continue;
    changes.push(`${(at - previous).toString(36)} ${difference.toString(36)}`);
    previous = at;
  }
  return { name, offset: offsetOf(offsets[first]!), changes };
}

/**
 * Returns local time minus UTC in whole minutes. moment-timezone subtracts local time from UTC. Only the offset of
 * Africa/Monrovia before 1972-01-07 is not a whole minute.
 */
const offsetOf = (west: number) => -Math.ceil(west);

/**
 * Replaces the last changes of each zone with a reference to the earlier zone whose list ends with the most identical
 * changes. Keeps the changes if no more than three are identical.
 */
function zoneLines(zones: readonly Zone[]): string[] {
  return zones.map(({ name, offset, changes }, i) => {
    const shared = zones
      .slice(0, i)
      .map((zone) => ({ zone, count: sharedEnd(zone.changes, changes) }));
    const [best] = shared.toSorted((a, b) => b.count - a.count);
    const isShorter = best !== undefined && best.count > 3;
    const own = isShorter ? changes.slice(0, -best.count) : changes;
    const rest = isShorter ? [`@${best.zone.name} ${best.count.toString(36)}`] : [];
    return [name, offset.toString(36), ...own, ...rest].join(' ');
  });
}

/** Returns the length of the longest common suffix of two lists. */
function sharedEnd(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < Math.min(a.length, b.length) && a.at(-1 - count) === b.at(-1 - count)) count++;
  return count;
}
