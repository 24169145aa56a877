import type { Commit } from '../core/commit.ts';
import type { InstanceKey } from '../core/event.ts';
import { toIso, toUtc } from '../core/time.ts';
import type { InstanceStore } from '../service/ports.ts';
import { newest } from './newest.ts';
import { Problem } from './problem.ts';
import { nameOf } from './views.ts';

/** Which moment of an instance somebody asks for: after a commit, or a time, RFC 3339 in UTC. */
export type Moment = { readonly version: number } | { readonly at: string };

/** An instance's commit, and the moment it is shown for, RFC 3339 in UTC. */
export interface Past {
  readonly commit: Commit;
  readonly at: string;
}

/** What the query of a request for a moment may have. */
export const momentQuery = {
  version: {
    text: 'as it was after this commit',
    schema: { type: 'integer', minimum: 1 },
  },
  at: {
    text: 'as it was at this time, as Milepost knew it then; not together with version',
    schema: { type: 'string', format: 'date-time' },
  },
} as const;

/**
 * The moment that a request asks for; undefined: now.
 *
 * @param now milliseconds since 1970.
 * @throws Problem 400 for what is none, and for both at once.
 */
export function momentIn(query: Readonly<Record<string, string>>, now: number): Moment | undefined {
  const { version, at } = query;
  if (version !== undefined && at !== undefined)
    throw new Problem(400, 'version and at do not go together: each names a moment');
  if (version !== undefined) {
    if (/^[1-9]\d{0,9}$/.test(version)) return { version: Number(version) };
    throw new Problem(400, 'version must be a whole number from 1');
  }
  if (at === undefined) return undefined;
  const utc = toUtc(at);
  if (utc === undefined)
    throw new Problem(400, 'at must be an RFC 3339 time, such as 2026-11-21T07:00:00Z');
  const milliseconds = Date.parse(utc);
  if (milliseconds > now) throw new Problem(400, 'at is still to come: what will be is not known');
  return { at: toIso(milliseconds) };
}

/**
 * How an instance was at a moment.
 *
 * @param moment undefined: now.
 * @throws Problem 404 where it was not there, or is not.
 */
export async function pastOf(
  instances: InstanceStore,
  key: InstanceKey,
  moment: Moment | undefined,
): Promise<Past> {
  const commit = moment && (await commitOf(instances, key, moment));
  if (commit) return { commit, at: 'at' in moment ? moment.at : commit.at };
  const { commit: last } = await newest(instances, key);
  if (!last) throw new Problem(404, `${nameOf(key)} has no version yet: its first event is parked`);
  if (!moment) return { commit: last, at: last.at };
  if ('at' in moment)
    throw new Problem(404, `${nameOf(key)} was not there yet: it started at ${last.startedAt}`);
  const has = last.version === 1 ? 'only version 1' : `versions 1 to ${last.version}`;
  throw new Problem(404, `${nameOf(key)} has ${has}, and no version ${moment.version}`);
}

async function commitOf(
  instances: InstanceStore,
  key: InstanceKey,
  moment: Moment,
): Promise<Commit | undefined> {
  if ('at' in moment) return instances.asOf(key, moment.at);
  const { commits } = await instances.from(key, moment.version, 1);
  return commits.find(({ version }) => version === moment.version);
}
