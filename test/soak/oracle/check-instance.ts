import { isDeepStrictEqual } from 'node:util';
import type { ObservedHistory } from '../observe/observed.ts';
import { rulesOf } from './rules/index.ts';

/** Checks that an instance matches its history: version, state, status, start, and running timers. */
export function* checkInstance(
  { instance, entries }: ObservedHistory,
  timers: ReadonlyMap<string, number>,
): Generator<string> {
  const versions = [...new Set(entries.map(({ version }) => version))];
  const isComplete =
    versions.length === instance.version && versions.every((each, n) => each === n + 1);
  if (!isComplete)
    yield `the version is ${instance.version}, but the history has the versions ${versions.join()}`;
  const last = entries.at(-1);
  if (last && !isDeepStrictEqual(instance.state, last.state))
    yield `the state is ${JSON.stringify(instance.state)}, but ${JSON.stringify(last.state)} in the history`;
  if (last && instance.status !== last.status)
    yield `the status is ${instance.status}, but ${last.status} in the history`;
  const done = last !== undefined && rulesOf[instance.model]?.isDone(last.state);
  if (instance.done !== done) yield `done is ${instance.done}`;
  const times = entries
    .filter(({ outcome }) => outcome === 'applied')
    .map(({ event, at }) => Math.min(Date.parse(event.time), Date.parse(at)));
  const start = times.length > 0 ? new Date(Math.min(...times)).toISOString() : null;
  if (instance.startedAt !== start) yield `startedAt is ${instance.startedAt}`;
  const running = instance.timers.map(({ name, dueAt }) => `${name} ${Date.parse(dueAt)}`);
  const wanted = [...timers].map(([name, due]) => `${name} ${due}`);
  if (!isDeepStrictEqual(running.toSorted(), wanted.toSorted()))
    yield `the timers are ${running.join()}, but must be ${wanted.join()}`;
}
