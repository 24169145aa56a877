import { createHash } from 'node:crypto';
import type { RunLog } from '../log.ts';
import { text } from './item.ts';
import { mayBeUndone } from './letters.ts';
import type { CommitItem, Instance } from './tables.ts';
import { maximumSkew, timersOf } from './timers.ts';
import { timesOf } from './times.ts';

/** Checks the status row against the history and the queue of parked events. */
export function* auditStatus(instance: Instance, log: RunLog): Generator<string> {
  const { key, model, transaction, commits, history, parked, status } = instance;
  const newest = commits.at(-1);
  if (!status) {
    if (!commits.every((commit) => mayBeUndone(commit, instance))) yield 'it has no status row';
    return;
  }
  // The row can be older than the newest commit, because a commit writes the row only if it changes a field that lists
  // use.
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
  if (!newest && parked.length === 0) {
    // The operator deleted every parked event. An interrupted queue change can delay the removal from lists.
    if (status.version && !status.parking) yield 'it is listed without commits and parked events';
    return;
  }
  if (!newest && status.version?.N !== '0') yield `the row has version ${status.version?.N}`;

  const counted = Number(status.parked?.N ?? 0);
  // A dispatcher that its caller abandoned continues. It can park events that another dispatcher applied, and crash
  // before it counts them.
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
  const row = { status: text(status, 'status'), updatedAt: text(status, 'updatedAt') };
  const dueAt = status.dueAt?.S;
  const lateAt = status.lateAt?.S;
  const isLate = status.late?.BOOL === true;
  if (isLate && !(lateAt && Date.parse(lateAt) <= log.auditedAt + maximumSkew))
    yield `the row is late, but it becomes late at ${lateAt}`;
  if (!isLate && lateAt && Date.parse(lateAt) <= log.auditedAt)
    yield `the row is not late, but it has been late since ${lateAt}`;
  // The clock processes an instance when its next timer is due, and when it becomes late.
  const visit = [dueAt, isLate ? undefined : lateAt]
    .filter((each) => each !== undefined)
    .toSorted()[0];
  const isListed = status.startedAt?.NULL !== true;
  const isStarted = newest === undefined || startOf(commits) !== undefined;
  if (!mayBeBehind && isListed !== isStarted) yield `it is ${isListed ? '' : 'not '}listed`;
  const keys = {
    changeKey: `${row.updatedAt}#${digest.slice(0, 12)}`,
    transaction,
  };
  for (const [name, value] of Object.entries(keys))
    if (status[name]?.S !== value) yield `the row's index key ${name} is ${status[name]?.S}`;
  const shards = {
    dueShard: visit && 'due',
    statusShard: isListed ? `${model}#${row.status}` : unlisted,
    transactionShard: isListed ? model : unlisted,
  };
  const number = Number.parseInt(digest.slice(0, 8), 16);
  for (const [name, value] of Object.entries(shards)) {
    const possible = log.partitionCounts.map((count) => value && `${value}#${number % count}`);
    if (!possible.includes(status[name]?.S))
      yield `the row's index key ${name} is ${status[name]?.S}`;
  }
  const [due = '', end] = status.dueKey?.S?.split('#') ?? [];
  // While events are parked, the clock postpones the due time of timers that fired or have to wait.
  const isDueInTime = parked.length > 0 ? due >= visit! : due === visit;
  if (visit === undefined ? status.dueKey : !isDueInTime || end !== digest.slice(0, 12))
    yield `the row's index key dueKey is ${status.dueKey?.S}, but it is due at ${visit}`;
}

/** The status in the index of an instance whose events were all rejected. */
const unlisted = '#unlisted';

/** Returns the first commit that applied an event, because rejected events do not start an instance. */
const startOf = (commits: readonly CommitItem[]) =>
  commits.find(({ entries }) => entries.some(({ rejected }) => !rejected));

const atCommit = ({ version, item }: CommitItem) => ({
  version: String(version),
  modelVersion: item.modelVersion!.N!,
  updatedAt: text(item, 'at'),
});

function fromHistory({ entries }: CommitItem, commits: readonly CommitItem[]) {
  const status = entries.at(-1)!.status;
  const { sum } = entries.at(-1)!.state as { sum: number };
  return {
    status,
    done: sum > 90,
    progress: sum % 2 === 1 ? '0.5' : '0',
    ...timesOf(commits).at(-1)!,
    dueAt: timersOf(commits.at(-1)!)[0]?.dueAt,
    lateAt: commits.at(-1)!.item.lateAt?.S,
    deadlines: deadlinesOf(commits.at(-1)!, sum > 90),
  };
}

/**
 * Returns the results of an instance's deadlines. The only milestone of the model is open until the instance is done.
 */
function deadlinesOf({ item }: CommitItem, done: boolean): string | undefined {
  const { milestones } = JSON.parse(text(item, 'description')) as {
    milestones?: readonly { readonly expectedBy: string }[];
  };
  if (!milestones || done) return undefined;
  const monday = new Date(milestones[0]!.expectedBy);
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7));
  return JSON.stringify([`${monday.toISOString().slice(0, 10)}/open/goal`]);
}
