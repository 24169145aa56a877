import { isDeepStrictEqual } from 'node:util';
import { nameOf, type PutRecord, type RunLog } from '../log.ts';
import type { Replayed } from './fold.ts';
import { text } from './item.ts';
import { namesInLetters } from './letters.ts';
import type { HistoryEntry, Instance } from './tables.ts';
import { firingOf, timersOf } from './timers.ts';
import { timesOf } from './times.ts';

/** Checks that an instance's commits are consistent and contain the events that were sent to it. */
export function auditInstance(
  instance: Instance,
  replayed: readonly Replayed[],
  log: RunLog,
): string[] {
  return [
    ...versions(instance),
    ...folds(replayed),
    ...sent(instance, log),
    ...order(instance, log),
  ];
}

function* versions({ commits }: Instance): Generator<string> {
  let at = '';
  const times = timesOf(commits);
  for (const [index, { version, item, entries }] of commits.entries()) {
    if (version !== index + 1) yield `version ${version} was found instead of ${index + 1}`;
    if (entries.length === 0) yield `commit ${version} has no entries`;
    if (text(item, 'at') < at) yield `commit ${version} is earlier than the previous commit`;
    at = text(item, 'at');
    const { startedAt, statusSince } = times[index]!;
    if (item.startedAt?.S !== startedAt) yield `commit ${version} has the wrong startedAt`;
    if (item.statusSince?.S !== statusSince) yield `commit ${version} has the wrong statusSince`;
    const found = [item.startedAt?.S ?? '', text(item, 'statusSince')];
    if (found.some((time) => time > at))
      yield `commit ${version} has a startedAt or statusSince after its own time`;
  }
}

/** Checks `state == fold(f, history)` for each entry, with the auditor's own `f`. */
function* folds(replayed: readonly Replayed[]): Generator<string> {
  for (const [index, { entry, after }] of replayed.entries()) {
    const place = `entry ${index} (${entry.name})`;
    if (entry.rejected !== after.rejected)
      yield `${place} is wrongly ${entry.rejected ? 'rejected' : 'applied'}`;
    if (!isDeepStrictEqual(entry.state, after.state)) yield `${place} has the wrong state after it`;
    if (entry.status !== after.status)
      yield `${place} has the wrong status ${entry.status} after it`;
  }
}

/** Checks that a history contains only events that were sent, and no event twice. */
function* sent({ history, model, transaction }: Instance, log: RunLog): Generator<string> {
  const puts = Map.groupBy(
    log.puts.filter(({ event }) => event?.model === model && event.transaction === transaction),
    ({ event }) => nameOf(event!),
  );
  const last = new Map<string, number>();
  for (const [index, entry] of history.entries()) {
    const records = puts.get(entry.name) ?? [];
    if (!records.some((record) => isFrom(entry, record)))
      yield `entry ${index} (${entry.name}) differs from every event that was sent`;
    const before = last.get(entry.name);
    if (before !== undefined)
      yield `${entry.name} is in the history twice: entries ${before} and ${index}`;
    last.set(entry.name, index);
  }
}

function isFrom({ event, data }: HistoryEntry, { event: sent, arrivedAt }: PutRecord): boolean {
  const time = sent!.time ?? new Date(arrivedAt).toISOString();
  const replyto = event.replyTo && `${event.replyTo.model}/${event.replyTo.transaction}`;
  return (
    event.type === sent!.type &&
    event.time === time &&
    replyto === sent!.replyto &&
    isDeepStrictEqual(data, sent!.data)
  );
}

/** Checks that events with the same partition key are in the order in which they were put. */
function* order(
  { model, transaction, commits, history, parked }: Instance,
  log: RunLog,
): Generator<string> {
  if (!log.keyed) return;
  const registered = log.registered.get(model);
  const wanted = log.puts
    .filter(({ event }) => event?.model === model && event.transaction === transaction)
    // An event that arrived before its model was registered may still be a dead letter or may have been redriven.
    .filter(({ arrivedAt }) => model === 'tally' || arrivedAt > registered!)
    .map(({ event }) => nameOf(event!));
  const early = new Set(
    log.puts
      .filter((put) => put.arrivedAt <= registered!)
      .map(({ event }) => event && nameOf(event)),
  );
  const there = new Set([...history, ...parked].map(({ name }) => name));
  // Ignore timer events for timers that no longer run: they change nothing, but can still be queued behind parked
  // events.
  const fired = new Set(
    log.puts.flatMap(({ by, event }) => (by === 'clock' && event ? event.id : [])),
  );
  // An event from another source can have the id of a timer event.
  const firings = history.filter(({ event }) => event.source === 'milepost:clock');
  const current = new Set([
    ...firings.map(({ event }) => event.id),
    ...commits.slice(-1).flatMap((newest) => timersOf(newest).map(firingOf)),
  ]);
  const isOver = (name: string) => {
    const [source, id] = JSON.parse(name) as [string, string];
    return source === 'milepost:clock' && fired.has(id) && !current.has(id);
  };
  // The stream may redeliver a deleted event after later events.
  const deleted = namesInLetters([...log.deleted], log).get(`${model}#${transaction}`);
  const isWanted = (name: string) =>
    (model === 'tally' || !early.has(name)) && !isOver(name) && !deleted?.has(name);
  const expected = [...new Set(wanted)].filter(isWanted);
  const found = [...there].filter(isWanted);
  const wrong = expected.findIndex((name, index) => found[index] !== name);
  if (wrong !== -1)
    yield `${found[wrong] ?? 'nothing'} was found instead of ${expected[wrong]} (${wrong})`;
}
