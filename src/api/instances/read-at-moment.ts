import * as v from 'valibot';
import type { InstanceKey } from '../../core/event/event.ts';
import type { Commit } from '../../core/history/commit.ts';
import { toIso, toUtc } from '../../core/time/timestamp.ts';
import type { InstanceStore } from '../../stores/instance-store.ts';
import { Problem } from '../http/problem.ts';
import { timeParameter } from '../http/query-parameters.ts';
import { instanceName } from './instance-name.ts';
import { missingCommit } from './missing-commit.ts';
import { readInstance } from './read-instance.ts';

/** A moment in an instance's life: after the commit with this version, or at this time (RFC 3339 in UTC). */
export type Moment = { readonly version: number } | { readonly at: string };

/** One of an instance's commits, and a moment when it was the latest commit, RFC 3339 in UTC. */
export interface InstanceAtMoment {
  readonly commit: Commit;
  readonly at: string;
}

const versionMessage = ({ received }: v.BaseIssue<unknown>) =>
  `\`version\` must be an integer from 1 to 9999999999; got ${received}`;
const version = v.pipe(
  v.number(versionMessage),
  v.integer(versionMessage),
  v.minValue(1, versionMessage),
  v.maxValue(9_999_999_999, versionMessage),
  v.description('return this version of the instance, which is the number of a commit'),
);
const exampleTime = '2026-11-21T07:00:00Z';
const at = timeParameter(
  'at',
  'return the instance with all events that had been recorded by this time; must not be in the future, and cannot be combined with `version`',
  exampleTime,
);
const asOfEventTime = timeParameter(
  'asOfEventTime',
  'return the instance with all applied events that had happened by this time, even if they were recorded later; must not be in the future, and cannot be combined with `version` or `at`',
  exampleTime,
);

/** The query parameters that select a moment by record time. */
export const momentQuery = {
  moment: v.pipe(
    v.strictObject({ version: v.optional(version), at: v.optional(at) }),
    v.check(
      (query) => query.version === undefined || query.at === undefined,
      '`version` and `at` cannot be combined; send only one of them',
    ),
  ),
} as const;

/** The query parameters that select a moment by record time or event time. */
export const anyMomentQuery = {
  moment: v.pipe(
    v.strictObject({
      version: v.optional(version),
      at: v.optional(at),
      asOfEventTime: v.optional(asOfEventTime),
    }),
    v.check(
      (query) => Object.values(query).filter((each) => each !== undefined).length <= 1,
      '`version`, `at`, and `asOfEventTime` cannot be combined; send only one of them',
    ),
  ),
} as const;

/**
 * Returns the moment that a validated query selects; undefined, meaning the present, if it selects none.
 *
 * @param now milliseconds since 1970.
 * @throws Problem 404 for a time in the future.
 */
export function momentOfQuery(
  query: Readonly<Record<string, string>>,
  now: number,
): Moment | undefined {
  const { version, at } = query;
  if (version !== undefined) return { version: Number(version) };
  return at === undefined ? undefined : { at: pastTime('at', at, now) };
}

/**
 * Returns the event time that a validated query selects, RFC 3339 in UTC, or undefined if the query selects none.
 *
 * @param now milliseconds since 1970.
 * @throws Problem 404 for a time in the future.
 */
export function eventTimeOfQuery(
  { asOfEventTime }: Readonly<Record<string, string>>,
  now: number,
): string | undefined {
  return asOfEventTime === undefined ? undefined : pastTime('asOfEventTime', asOfEventTime, now);
}

function pastTime(name: string, text: string, now: number): string {
  const milliseconds = Date.parse(toUtc(text)!);
  if (milliseconds > now)
    throw new Problem(404, `\`${name}\` must not be in the future; got ${text}`);
  return toIso(milliseconds);
}

/**
 * Reads the commit that was an instance's latest commit at a given moment.
 *
 * @param moment the moment, or undefined for the present.
 * @throws Problem 404 if the instance had no commits at that moment or does not have the requested version; 500 if the
 *   version's commit is missing.
 */
export async function readAtMoment(
  instances: InstanceStore,
  key: InstanceKey,
  moment: Moment | undefined,
): Promise<InstanceAtMoment> {
  const commit = moment && (await commitAtMoment(instances, key, moment));
  if (commit) return { commit, at: 'at' in moment ? moment.at : commit.at };
  const { commit: last } = await readInstance(instances, key);
  if (!last)
    throw new Problem(404, `${instanceName(key)} has no version yet: its first event is parked`);
  if (!moment) return { commit: last, at: last.at };
  if ('at' in moment)
    throw new Problem(
      404,
      `${instanceName(key)} did not exist at that time: its first event was recorded at ${await firstAt(instances, key)}`,
    );
  const known = last.version === 1 ? 'only version 1' : `versions 1 to ${last.version}`;
  throw new Problem(404, `${instanceName(key)} has no version ${moment.version}; it has ${known}`);
}

async function firstAt(instances: InstanceStore, key: InstanceKey): Promise<string> {
  const { commits } = await instances.commitsFrom(key, 1, 1);
  return commits[0]!.at;
}

async function commitAtMoment(
  instances: InstanceStore,
  key: InstanceKey,
  moment: Moment,
): Promise<Commit | undefined> {
  if ('at' in moment) return instances.commitAsOf(key, moment.at);
  const { version } = moment;
  const [next] = (await instances.commitsFrom(key, version, 1)).commits;
  if (next && next.version !== version) throw missingCommit(key, version, next.version);
  return next;
}
