import type { InstanceKey } from '../../core/event/event.ts';
import type { Commit } from '../../core/history/commit.ts';
import type { InstanceTimes } from '../../core/history/instance-times.ts';
import type { Snapshot } from '../../core/history/snapshot.ts';
import { parseJson } from '../../core/json/parse-json.ts';
import type { Model } from '../../core/model/model.ts';
import type { Audit } from '../../core/replay/audit.ts';
import { matchesHistory } from '../../core/replay/rebuild.ts';
import { Replay } from '../../core/replay/replay.ts';
import { hasDifference } from '../../core/replay/replay-result.ts';
import { isCorrectRow, type RowVerdict } from '../../core/replay/status-check.ts';
import type { DataKeys } from '../../stores/data-keys.ts';
import type { ConsistentRead, InstanceStore } from '../../stores/instance-store.ts';
import type { FaultReporter } from '../fault-reporter.ts';
import { isRemote, type ModelFunction } from '../remote/model-function.ts';
import { type HistoryDependencies, readHistory } from './read-history.ts';
import type { StatusRows, StoredRow } from './status-rows.ts';

export interface VerifyDependencies extends HistoryDependencies {
  /** The model, or the model function in another language. For a model function, only status rows are verified. */
  readonly model: Model | ModelFunction;
  readonly rows: StatusRows;
  /** The data keys, whose destruction erases data in the histories; undefined if nothing is sealed. */
  readonly dataKeys?: Pick<DataKeys, 'isDestroyed'>;
  /** Locates faults in the model's code. Default: none, and reasons contain no code position. */
  readonly faults?: FaultReporter;
}

/** The limits of a verification. By default, a verification covers the status row and the whole history. */
export interface VerifyOptions {
  /** Skips instances that have not changed since this time, RFC 3339 in UTC. */
  readonly since?: string;
  /** True to verify only the status row, without folding the history. */
  readonly rowsOnly?: boolean;
  /** When to stop, in milliseconds since 1970. */
  readonly until: number;
}

/** The audit of an instance, with the data that a rebuild needs. */
export interface Verification {
  readonly audit: Audit;
  readonly newest: Commit | undefined;
  /** The status row that was compared with the commits; undefined if there is none. */
  readonly storedRow: StoredRow | undefined;
  /**
   * The result of folding the history; undefined if the instance cannot be rebuilt from it: the history was not folded,
   * the model failed on an event, or destroyed personal data may be the only cause of the differences.
   */
  readonly folded: FoldedHistory | undefined;
}

/** The result of folding a complete history, with the model that folded it. */
interface FoldedHistory {
  readonly model: Model;
  readonly after: Snapshot;
  readonly times: InstanceTimes;
}

/** The error in the audit of an instance whose model is a function in another language. */
const remoteModelReason =
  'the model is a function in another language, which can only fold new events';

/**
 * Compares an instance with its history without changing anything: folds the history with the model, starting at the
 * first event, and compares the status row with the commits. Commits that are written during the verification are
 * ignored.
 *
 * @throws OutOfTimeError if time runs out; Error if storage fails.
 */
export async function verifyInstance(
  dependencies: VerifyDependencies,
  instance: InstanceKey,
  options: VerifyOptions,
): Promise<Verification> {
  const { model, store, rows, dataKeys } = dependencies;
  // Read the row first so that it is never newer than the commits. An older row is normal.
  const storedRow = await rows.read(instance);
  const [answer] = await store.readConsistent([instance]);
  if ('error' in answer!) throw answer.error;
  const { commit: newest } = answer!.value;
  const found = { storedRow, newest, folded: undefined };
  const nothing = {
    transaction: instance.transaction,
    version: newest?.version ?? 0,
    row: null,
    replayed: null,
    isAsFolded: true,
    skipped: false,
    error: null,
  };
  if (options.since !== undefined && newest && newest.at < options.since)
    return { ...found, audit: { ...nothing, skipped: true } };
  const row = await rowState(store, storedRow, answer!.value);
  if (!newest || options.rowsOnly) return { ...found, audit: { ...nothing, row } };
  if (isRemote(model)) return { ...found, audit: { ...nothing, row, error: remoteModelReason } };
  const replay = await fold({ ...dependencies, model }, newest, options.until);
  const { description, version, progress, timers, startedAt, statusSince } = newest;
  const replayed = replay.result({
    version,
    done: description.done ?? false,
    progress,
    timers: timers.map(({ name, dueAt }) => ({ name, dueAt })),
    times: { startedAt, statusSince },
  });
  const { snapshot: after, times } = replay;
  const isFolded = after && times && !replay.isStuck;
  const isAsFolded = !isFolded || matchesHistory(model, newest, after, times);
  // Check the data key last: if the key still exists now, the history that was read contains all personal data.
  const isErased = !isAsFolded && (await dataKeys?.isDestroyed(instance)) === true;
  const isForgotten = replayed.isForgotten || (isErased && hasDifference(replayed));
  // A rebuild is not possible if the personal data is destroyed or the model fails on an event.
  const folded = isFolded && !isErased && !isForgotten ? { model, after, times } : undefined;
  const audit = {
    ...nothing,
    row,
    replayed: { ...replayed, isForgotten },
    isAsFolded: isAsFolded || !folded,
  };
  return { ...found, folded, audit };
}

async function fold(
  { model, faults, ...history }: VerifyDependencies & { readonly model: Model },
  newest: Commit,
  until: number,
): Promise<Replay> {
  const replay = new Replay(model, (fault) => faults?.placeOf(fault));
  for await (const commit of readHistory(history, newest, until)) addTo(replay, commit);
  return replay;
}

function addTo(replay: Replay, { version, at, entries }: Commit): void {
  for (const { event, data, outcome, reason, status, state } of entries) {
    const whole = { ...event, data: parseJson(data) };
    replay.add({ version, at, event: whole, outcome, reason, status, state });
  }
}

async function rowState(
  store: InstanceStore,
  stored: StoredRow | undefined,
  { commit: newest, hasParked }: ConsistentRead,
): Promise<RowVerdict> {
  if (!stored) return 'missing';
  const { row } = stored;
  if (!row || row.parked > 0 !== hasParked) return 'wrong';
  if (!newest) return row.version === 0 ? 'right' : 'wrong';
  if (row.version < 1 || row.version > newest.version) return 'wrong';
  const made =
    row.version === newest.version
      ? newest
      : (await store.commitsFrom(newest, row.version, 1)).commits[0];
  return isCorrectRow(row, made, newest) ? 'right' : 'wrong';
}
