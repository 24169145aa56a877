import pMap from 'p-map';
import * as v from 'valibot';
import { type ApiClient, instancePath } from './api-client.ts';
import { instanceAt, leaveOut, type OnLeftOut } from './instance-at.ts';
import { pages } from './paging.ts';

/** What is exported. */
export interface ExportOptions {
  readonly models: readonly string[];
  /** Only instances that changed then or later: milliseconds since 1970. */
  readonly since?: number;
  /** With every event of each instance. */
  readonly history: boolean;
  readonly onLeftOut: OnLeftOut;
}

const largestPage = '100';
/** Instances asked for at once. */
const concurrency = 8;

// As they came: names go back into requests, and are not shown.
const summaries = v.object({
  instances: v.array(
    v.object({ model: v.string(), transaction: v.string(), updatedAt: v.string() }),
  ),
});
const entries = v.object({ entries: v.array(v.unknown()) });

/**
 * The lines of an export: each instance, and behind it, if that is wanted, its events. Every instance
 * that is there when it begins, and can be read by its path, is in it once, in an order that changes do not move; one that
 * changes meanwhile is as it was when it was read, and its events are up to then or later. No more than
 * a page of instances is in memory.
 *
 * Throws `ApiError`.
 *
 * @yields for each instance, its lines
 */
export async function* exportLines(
  api: ApiClient,
  { models, since = -Infinity, history, onLeftOut }: ExportOptions,
): AsyncGenerator<AsyncGenerator<string>> {
  for (const model of models) {
    const ask = (cursor?: string) =>
      api.get('/instances', { model, order: 'fixed', limit: largestPage, cursor });
    for await (const { answer } of pages(ask)) {
      const wanted = answer
        .read(summaries)
        .instances.filter(({ updatedAt }) => Date.parse(updatedAt) >= since);
      const found = await pMap(
        wanted,
        (key) => instanceAt(api, key).catch((error) => leaveOut(key, error, onLeftOut)),
        { concurrency },
      );
      for (const [index, instance] of found.entries()) {
        const { model: of, transaction } = wanted[index]!;
        if (instance)
          yield linesOf(api, instancePath(of, transaction), instance.read(v.unknown()), history);
      }
    }
  }
}

async function* linesOf(
  api: ApiClient,
  path: string,
  instance: unknown,
  history: boolean,
): AsyncGenerator<string> {
  yield JSON.stringify({ instance });
  if (!history) return;
  const { model, transaction } = v.parse(named, instance);
  const ask = (cursor?: string) => api.get(`${path}/history`, { limit: largestPage, cursor });
  // One whose first event is parked has no history.
  if (v.parse(versioned, instance).version === 0) return;
  for await (const { answer } of pages(ask))
    for (const entry of answer.read(entries).entries)
      yield JSON.stringify({ model, transaction, entry });
}

const named = v.object({ model: v.string(), transaction: v.string() });
const versioned = v.object({ version: v.number() });

/** The models that there are. Throws `ApiError`. */
export async function modelsOf(api: ApiClient): Promise<string[]> {
  return (await api.get('/models')).read(registered).models.map(({ id }) => id);
}

const registered = v.object({ models: v.array(v.object({ id: v.string() })) });
