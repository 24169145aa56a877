import { isDeepStrictEqual } from 'node:util';
import type { RunLog } from '../log.ts';
import type { Replayed } from './fold.ts';
import type { CommitItem, Instance } from './tables.ts';

interface StoredTimer {
  readonly name: string;
  readonly dueAt: string;
  readonly run: string;
}

/** Returns the running timers that a commit contains. */
export const timersOf = ({ item }: CommitItem) =>
  JSON.parse(item.timers?.S ?? '[]') as readonly StoredTimer[];

/** Returns the id of a timer's event. */
export const firingOf = ({ name, run }: StoredTimer) => `timer/${name}@${run}`;

/** Checks that the timers in the commits are those that the history implies. */
export function* auditTimers(
  { commits, parked }: Instance,
  replayed: readonly Replayed[],
  log: RunLog,
): Generator<string> {
  const running = new Map<string, { dueAt: string; run?: string }>();
  const runs = new Set<string>();
  for (const commit of commits) {
    for (const { entry, after } of replayed.filter((each) => each.commit === commit)) {
      if (entry.event.type === 'timer.fired') yield* fire(entry);
      for (const { name, dueAt } of after.timers) {
        running.delete(name);
        if (dueAt !== undefined) running.set(name, { dueAt });
      }
    }
    const expected = [...running]
      .map(([name, { dueAt }]) => ({ name, dueAt }))
      .toSorted((a, b) => Date.parse(a.dueAt) - Date.parse(b.dueAt));
    const found = timersOf(commit);
    if (
      !isDeepStrictEqual(
        found.map(({ name, dueAt }) => ({ name, dueAt })),
        expected,
      )
    ) {
      yield `commit ${commit.version} has the timers ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`;
      return;
    }
    for (const timer of found) {
      const { name, run } = timer;
      const known = running.get(name)!;
      if (known.run === undefined && runs.has(firingOf(timer)))
        yield `timer ${name} of commit ${commit.version} has the run id of an earlier timer`;
      if (known.run !== undefined && known.run !== run)
        yield `timer ${name} of commit ${commit.version} has a different run id than when it started`;
      runs.add(firingOf(timer));
      known.run = run;
    }
  }
  // While events are parked, timers wait.
  if (parked.length > 0) return;
  for (const [name, { dueAt }] of running)
    if (Date.parse(dueAt) < log.auditedAt) yield `timer ${name}, due at ${dueAt}, did not fire`;

  function* fire({ event, data, name: entry }: Replayed['entry']): Generator<string> {
    const { name, dueAt } = data as StoredTimer;
    const timer = running.get(name);
    const isIts = timer && event.id === `timer/${name}@${timer.run}` && timer.dueAt === dueAt;
    if (!isIts) yield `${entry} fired, but no such timer was running`;
    else if (event.time !== dueAt)
      yield `${entry} has the time ${event.time}, but its timer was due at ${dueAt}`;
    if (isIts) running.delete(name);
  }
}

/** Checks that the clock put events only for running timers, and only after they were due. */
export function* auditFirings(instances: readonly Instance[], log: RunLog): Generator<string> {
  const started = new Map<string, StoredTimer>();
  for (const { key, commits } of instances)
    for (const commit of commits)
      for (const timer of timersOf(commit)) started.set(`${key} ${firingOf(timer)}`, timer);
  for (const { by, event, arrivedAt } of log.puts) {
    if (by !== 'clock' || !event) continue;
    const timer = started.get(`${event.model}#${event.transaction} ${event.id}`);
    if (!timer) yield `${event.id} of ${event.transaction} fired, but was never running`;
    else if (Date.parse(timer.dueAt) > arrivedAt + maximumSkew)
      yield `${event.id} of ${event.transaction} fired before it was due`;
  }
}

/** The maximum error of a process's clock, in milliseconds. */
export const maximumSkew = 3_000;
