import type { Clock } from '../../common/clock.ts';
import type { Commit } from '../../core/history/commit.ts';
import type { HistoryEntry } from '../../core/history/history-entry.ts';
import { schemaReasonPrefix } from '../../core/history/validate-data.ts';
import type { Json } from '../../core/json/json.ts';
import type { Model } from '../../core/model/model.ts';
import { isSealedValue } from '../../core/personal-data/sealed.ts';
import { isRebuild } from '../../core/replay/rebuild.ts';
import type { DataKeys } from '../../stores/data-keys.ts';
import type { ForgetAnswer, ForgetRequest } from '../protocol.ts';
import { isRemote, type ModelFunction } from '../remote/model-function.ts';
import type { HistoryRewriter } from './history-rewriter.ts';
import { mapPersonalData } from './sealed-commit.ts';

export interface ForgetDependencies {
  readonly model: Model | ModelFunction;
  readonly dataKeys: DataKeys;
  readonly history: HistoryRewriter;
  readonly clock: Clock;
}

/** The parts of a model that declare which data is personal. */
export type PersonalData = Pick<Model, 'events' | 'sensitive'>;

/**
 * Removes personal data in plain text from an instance's history. A commit contains plain text if it was written before
 * the model declared a field as sensitive. Sealed data remains, but cannot be read without the destroyed key.
 *
 * @param until when to stop, in milliseconds since 1970; at least one page of commits is processed.
 */
export async function forgetHistory(
  { model: own, dataKeys, history, clock }: ForgetDependencies,
  { transaction, from = 1 }: ForgetRequest,
  until = Number.POSITIVE_INFINITY,
): Promise<ForgetAnswer> {
  const model = isRemote(own) ? await own.describe() : own;
  const instance = { model: model.id, transaction };
  // The caller destroyed the key, but this process may have cached it.
  await dataKeys.destroy(instance);
  let rewritten = 0;
  for (let next = from; ; ) {
    const page = await history.rewrite(instance, next, (stored) =>
      removePersonalData(stored, model),
    );
    rewritten += page.rewritten;
    if (page.next === undefined) return { rewritten };
    next = page.next;
    if (clock.now() >= until) return { rewritten, next };
  }
}

/**
 * Replaces each unsealed personal value with null. Returns undefined if there is no such value. All data of rejected
 * events, and of events whose type the model no longer declares, counts as personal.
 */
export function removePersonalData(
  stored: Commit,
  { events, sensitive }: PersonalData,
): Commit | undefined {
  if (!sensitive) return undefined;
  let found = 0;
  const forget = (value: Json): Json => {
    if (value === null || isSealedValue(value)) return value;
    found += 1;
    return null;
  };
  const isOpaque = ({ event, outcome }: HistoryEntry) =>
    outcome === 'rejected' || (!Object.hasOwn(events, event.type) && !isRebuild(event));
  const changed = mapPersonalData(stored, sensitive, forget, { isOpaque, isClosed: isSealedValue });
  if (found === 0) return undefined;
  const entries = changed.entries.map((entry, index) =>
    entry.data === stored.entries[index]!.data ? entry : removeQuotedData(entry),
  );
  return { ...changed, entries };
}

/** Replaces a reason from a data schema because the reason may quote the rejected data. */
const removeQuotedData = (entry: HistoryEntry): HistoryEntry =>
  entry.reason?.startsWith(schemaReasonPrefix)
    ? { ...entry, reason: `${schemaReasonPrefix}the value is not valid` }
    : entry;
