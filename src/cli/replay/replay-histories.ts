import pMap from 'p-map';
import * as v from 'valibot';
import type { TrackedEvent } from '../../core/event/event.ts';
import type { Json } from '../../core/json/json.ts';
import type { Model } from '../../core/model/model.ts';
import { Replay } from '../../core/replay/replay.ts';
import type { RecordedEvent, ReplayResult } from '../../core/replay/replay-result.ts';
import type { ApiClient } from '../client/api-client.ts';
import { instancePath } from '../client/api-paths.ts';
import { pageLimit, readAllPages } from '../client/read-all-pages.ts';
import { type OnSkipped, readInstance, skipUnreadable } from '../client/read-instance.ts';
import { locationInProject } from './fault-location.ts';

/** Selects the instances to fold. */
export interface InstanceSelection {
  readonly transaction?: string;
  /** Folds only instances that changed at or after this time, in milliseconds since 1970. */
  readonly since?: number;
  /** The maximum number of instances. */
  readonly limit?: number;
}

/** Selects the instances to fold, with a callback for instances that cannot be read. */
interface ReplaySelection extends InstanceSelection {
  readonly onSkipped: OnSkipped;
}

/** An instance whose history was folded again, and the differences from what was recorded. */
export interface ReplayedInstance {
  readonly transaction: string;
  readonly replayed: ReplayResult;
}

/** The maximum number of instances to fold in parallel, each with one page of its history in memory. */
const concurrency = 4;

// Names and states are not escaped, because they are passed to the model, not printed.
const summaries = v.object({
  instances: v.array(v.object({ transaction: v.string(), updatedAt: v.string() })),
});
const json = v.custom<Json>(() => true);
const known = v.object({
  version: v.number(),
  done: v.boolean(),
  progress: v.nullable(v.number()),
  timers: v.array(v.object({ name: v.string(), dueAt: v.string() })),
});
const entries = v.object({
  entries: v.array(
    v.object({
      version: v.number(),
      at: v.string(),
      event: v.object({
        id: v.string(),
        source: v.string(),
        type: v.string(),
        time: v.string(),
        replyto: v.optional(v.string()),
        data: json,
      }),
      outcome: v.picklist(['applied', 'rejected']),
      reason: v.nullish(v.string(), null),
      status: v.string(),
      state: json,
    }),
  ),
});
type HistoryEntryResponse = v.InferOutput<typeof entries>['entries'][number];

/**
 * Folds the histories of a model's instances with a candidate model, in this process. Folds each selected instance
 * that exists at the start once. An instance whose first event is parked has no history, so nothing is folded for it.
 *
 * Throws `ApiError`.
 *
 * @yields pages of results.
 */
export async function* replayHistories(
  api: ApiClient,
  model: Model,
  { transaction, since = -Infinity, limit = Infinity, onSkipped }: ReplaySelection,
): AsyncGenerator<ReplayedInstance[]> {
  const one = (each: string) => replayOne(api, model, each);
  if (transaction !== undefined) {
    yield [await one(transaction)];
    return;
  }
  const oneOfList = (each: string) =>
    one(each).catch((error) =>
      skipUnreadable({ model: model.id, transaction: each }, error, 'instance', onSkipped),
    );
  const ask = (cursor?: string) =>
    api.get('/instances', { model: model.id, order: 'fixed', limit: pageLimit, cursor });
  let left = limit;
  for await (const { answer } of readAllPages(ask)) {
    const wanted = answer
      .read(summaries)
      .instances.filter(({ updatedAt }) => Date.parse(updatedAt) >= since)
      .slice(0, left)
      .map((instance) => instance.transaction);
    const replayed = await pMap(wanted, oneOfList, { concurrency });
    yield replayed.filter((each) => each !== undefined);
    left -= wanted.length;
    if (left === 0) return;
  }
}

async function replayOne(
  api: ApiClient,
  model: Model,
  transaction: string,
): Promise<ReplayedInstance> {
  const path = instancePath(model.id, transaction);
  const now = (await readInstance(api, { model: model.id, transaction })).read(known);
  const replay = new Replay(model, locationInProject);
  const ask = (cursor?: string) => api.get(`${path}/history`, { limit: pageLimit, cursor });
  if (now.version > 0)
    for await (const { answer } of readAllPages(ask))
      for (const entry of answer.read(entries).entries)
        replay.add(recordedEvent({ model: model.id, transaction }, entry));
  return { transaction, replayed: replay.result(now) };
}

function recordedEvent(
  instance: Pick<TrackedEvent, 'model' | 'transaction'>,
  {
    version,
    at,
    event: { replyto, ...event },
    outcome,
    reason,
    status,
    state,
  }: HistoryEntryResponse,
): RecordedEvent {
  const to = replyto?.indexOf('/') ?? -1;
  const replyTo = replyto !== undefined &&
    to > 0 && { model: replyto.slice(0, to), transaction: replyto.slice(to + 1) };
  return {
    version,
    at,
    event: { ...instance, ...event, ...(replyTo && { replyTo }) },
    outcome,
    reason,
    status,
    state: JSON.stringify(state),
  };
}
