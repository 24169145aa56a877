import { createHash } from 'node:crypto';
import type { RunLog } from '../log.ts';
import { text } from './item.ts';
import { mayBeUndone } from './letters.ts';
import type { CommitItem, Instance } from './tables.ts';
import { timersOf } from './timers.ts';

/** Checks the status row against the history and the queue of parked events. */
export function* auditStatus(instance: Instance, log: RunLog): Generator<string> {
  const { key, model, transaction, commits, history, parked, status } = instance;
  const newest = commits.at(-1);
  if (!status) {
    if (!commits.every((commit) => mayBeUndone(commit, instance))) yield 'it has no status row';
    return;
  }
  // A commit writes the row only if it changes a field that lists use. Otherwise, the row can be older.
  const written = commits.find(({ version }) => String(version) === status.version?.N);
  // If the model crashed after a commit and before it wrote the row, a redrive writes the row.
  const mayBeBehind = commits.some(
    (commit) => commit.version > (written?.version ?? 0) && mayBeUndone(commit, instance),
  );
  if (newest && !mayBeBehind && !written) yield `the row has version ${status.version?.N}`;
  const expected =
    written && newest && !mayBeBehind
      ? { ...fromHistory(newest, commits), ...atCommit(written) }
      : undefined;
  for (const [name, value] of Object.entries(expected ?? {})) {
    const found = status[name]?.S ?? status[name]?.N ?? status[name]?.BOOL;
    if (found !== value) yield `the row has ${name} ${found} instead of ${value}`;
  }
  if (!newest && status.version?.N !== '0') yield `the row has version ${status.version?.N}`;
  if (!newest && parked.length === 0) yield 'it has a row, but no commits and no parked events';

  const counted = Number(status.parked?.N ?? 0);
  // An abandoned dispatcher continues. It can park events that another dispatcher applied, and crash before it counts
  // them.
  const isInterrupted =
    !log.redriven &&
    (status.parking !== undefined || parked.some(({ letterId }) => log.strays.has(letterId)));
  const unapplied = parked.filter((each) => !history.some(({ name }) => name === each.name));
  if (isInterrupted ? counted < unapplied.length : counted !== parked.length)
    yield `the row counts ${counted} parked events instead of ${parked.length}`;

  if (!status.status) {
    yield 'the row has no status';
    return;
  }
  const digest = createHash('sha1').update(key).digest('hex');
  const shard = Number.parseInt(digest.slice(0, 8), 16) % 8;
  const row = { status: text(status, 'status'), updatedAt: text(status, 'updatedAt') };
  const dueAt = status.dueAt?.S;
  const isListed = status.startedAt?.NULL !== true;
  const isStarted = newest === undefined || startOf(commits) !== undefined;
  if (!mayBeBehind && isListed !== isStarted) yield `it is ${isListed ? '' : 'not '}listed`;
  const keys = {
    dueShard: dueAt && `due#${shard}`,
    changeShard: `${isListed ? 'all' : unlisted}#${shard}`,
    changeKey: `${row.updatedAt}#${digest.slice(0, 12)}`,
    statusShard: `${isListed ? `${model}#${row.status}` : unlisted}#${shard}`,
    transactionShard: `${isListed ? model : unlisted}#${shard}`,
    transaction,
  };
  for (const [name, value] of Object.entries(keys))
    if (status[name]?.S !== value) yield `the row's index key ${name} is ${status[name]?.S}`;
  const [due = '', end] = status.dueKey?.S?.split('#') ?? [];
  // While events are parked, the clock postpones the due time of timers that fired or have to wait.
  const isDueInTime = parked.length > 0 ? due >= dueAt! : due === dueAt;
  if (dueAt === undefined ? status.dueKey : !isDueInTime || end !== digest.slice(0, 12))
    yield `the row's index key dueKey is ${status.dueKey?.S}, but it is due at ${dueAt}`;
}

/** The status in the index of an instance whose events were all rejected. */
const unlisted = '#unlisted';

/** Returns the first commit that applied an event, because rejected events do not start an instance. */
const startOf = (commits: readonly CommitItem[]) =>
  commits.find(({ entries }) => entries.some(({ rejected }) => !rejected));

const atCommit = ({ version, item }: CommitItem) => ({
  version: String(version),
  modelVersion: '7',
  updatedAt: text(item, 'at'),
});

function fromHistory({ entries }: CommitItem, commits: readonly CommitItem[]) {
  const statusOf = (commit: CommitItem) => commit.entries.at(-1)!.status;
  const status = entries.at(-1)!.status;
  const start = startOf(commits);
  const since = commits.slice(start ? commits.indexOf(start) : 0);
  const before = since.findLastIndex((commit) => statusOf(commit) !== status);
  const { sum } = entries.at(-1)!.state as { sum: number };
  return {
    status,
    done: sum > 90,
    progress: sum % 2 === 1 ? '0.5' : '0',
    startedAt: start && text(start.item, 'at'),
    statusSince: text(since[before + 1]!.item, 'at'),
    dueAt: timersOf(commits.at(-1)!)[0]?.dueAt,
  };
}
