import pMap from 'p-map';
import * as v from 'valibot';
import type { InstanceKey } from '../../core/event/event.ts';
import type { ApiClient, ApiResponse } from '../client/api-client.ts';
import { instancePath } from '../client/api-paths.ts';
import { pageLimit, readAllPages } from '../client/read-all-pages.ts';
import { type OnSkipped, readInstance, skipUnreadable } from '../client/read-instance.ts';

/** The instances to export, and whether to include their events. */
export interface ExportQuery {
  readonly models: readonly string[];
  /** Exports only instances that changed at or after this time, in milliseconds since 1970. */
  readonly since?: number;
  /** True to include the events of each instance. */
  readonly history: boolean;
  /** Called for each instance that cannot be read, or whose events cannot be read. */
  readonly onSkipped: OnSkipped;
}

/** A page of instances that the export has read. */
export interface ExportPage {
  /** The number of instances on the page, including instances that are not exported. */
  readonly instancesRead: number;
  /** The lines of each exported instance: the instance, then its events. */
  readonly instances: AsyncIterable<AsyncIterable<string>>;
}

/** The maximum number of histories to read in parallel. */
const concurrency = 8;

const summary = v.object({
  model: v.string(),
  transaction: v.string(),
  version: v.number(),
  updatedAt: v.string(),
});

type Instance = v.InferOutput<typeof summary>;

// Names are not escaped, because they are sent in requests, not printed. Members that the schema does not contain are
// kept, because they are exported.
const instancesResponse = v.object({
  instances: v.array(v.custom<Instance>((each) => v.is(summary, each), 'not an instance')),
  unreadable: v.optional(
    v.array(v.object({ model: v.string(), transaction: v.string(), reason: v.string() })),
    [],
  ),
});

const committed = v.object({ version: v.number() });
type Entry = v.InferOutput<typeof committed>;
const entries = v.object({
  entries: v.array(v.custom<Entry>((each) => v.is(committed, each), 'not an entry')),
});

/**
 * Creates the lines of an export: each instance, optionally followed by its events. Every instance that exists when the
 * export starts appears exactly once, in an order that stays the same when instances change. An instance that changes
 * during the export appears with its state at the time of reading, and with its events up to that time or a later time.
 * At most one page of instances and the first pages of their histories are in memory.
 *
 * Throws `ApiError`.
 *
 * @yields pages of instances.
 */
export async function* exportPages(
  api: ApiClient,
  { models, since = -Infinity, history, onSkipped }: ExportQuery,
): AsyncGenerator<ExportPage> {
  for (const model of models) {
    const ask = (cursor?: string) =>
      api.get('/instances', {
        model,
        order: 'fixed',
        full: 'true',
        limit: pageLimit,
        cursor,
      });
    for await (const { answer } of readAllPages(ask)) {
      const { instances, unreadable } = answer.read(instancesResponse);
      for (const { reason, ...key } of unreadable) onSkipped(key, reason, 'instance');
      const wanted = instances.filter(({ updatedAt }) => Date.parse(updatedAt) >= since);
      const lines = history ? withHistories(api, wanted, onSkipped) : withoutHistories(wanted);
      yield { instancesRead: instances.length + unreadable.length, instances: lines };
    }
  }
}

async function* withoutHistories(
  instances: readonly Instance[],
): AsyncGenerator<AsyncGenerator<string>> {
  for (const instance of instances) yield instanceLine(instance);
}

async function* withHistories(
  api: ApiClient,
  instances: readonly Instance[],
  onSkipped: OnSkipped,
): AsyncGenerator<AsyncGenerator<string>> {
  const read = (instance: Instance) =>
    historyOf(api, instance).catch((error) => skipUnreadable(instance, error, 'events', onSkipped));
  const histories = await pMap(instances, read, { concurrency });
  for (const [index, instance] of instances.entries())
    yield linesOf(instance, histories[index] ?? none(), onSkipped);
}

async function* none(): AsyncGenerator<ApiResponse> {}

async function* instanceLine(instance: Instance): AsyncGenerator<string> {
  yield JSON.stringify({ instance });
}

async function* linesOf(
  instance: Instance,
  history: AsyncIterable<ApiResponse>,
  onSkipped: OnSkipped,
): AsyncGenerator<string> {
  yield* instanceLine(instance);
  const { model, transaction } = instance;
  try {
    for await (const answer of history)
      for (const entry of answer.read(entries).entries)
        yield JSON.stringify({ model, transaction, entry });
  } catch (error) {
    skipUnreadable(instance, error, 'rest', onSkipped);
  }
}

/** Reads the first page of an instance's history and returns an iterator of all pages. */
async function historyOf(api: ApiClient, instance: Instance): Promise<AsyncIterable<ApiResponse>> {
  // An instance whose first event is parked has no history.
  if (instance.version === 0) return none();
  if (!isPlain(instance)) await readInstance(api, instance);
  const path = `${instancePath(instance.model, instance.transaction)}/history`;
  const read = readAllPages((cursor) => api.get(path, { limit: pageLimit, cursor }));
  const first = await read.next();
  return (async function* () {
    if (!first.done) yield first.value.answer;
    for await (const { answer } of read) yield answer;
  })();
}

/** Returns true if the transaction id contains no characters that are special to a router or a gateway. */
const isPlain = ({ transaction }: InstanceKey) => /^[\w~:@-][\w~:@.-]*$/.test(transaction);
