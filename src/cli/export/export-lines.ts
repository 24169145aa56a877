import pMap from 'p-map';
import * as v from 'valibot';
import type { InstanceKey } from '../../core/event/event.ts';
import { type ApiClient, type ApiResponse } from '../client/api-client.ts';
import { instancePath } from '../client/api-paths.ts';
import { readAllPages } from '../client/read-all-pages.ts';
import { type OnSkipped, readInstance, skipUnreadable } from '../client/read-instance.ts';

/** What is exported. */
export interface ExportQuery {
  readonly models: readonly string[];
  /** Only instances that changed then or later: milliseconds since 1970. */
  readonly since?: number;
  /** With every event of each instance. */
  readonly history: boolean;
  /** Told of instances whose events cannot be read, and why. */
  readonly onSkipped: OnSkipped;
}

/** One page of instances. */
export interface ExportPage {
  /** How many instances were read for it, whether they are exported or not. */
  readonly instancesRead: number;
  /** For each instance that is exported, its lines: itself, and then its events. */
  readonly instances: AsyncIterable<AsyncIterable<string>>;
}

const maximumPageSize = '100';

/** Histories asked for at once. */
const concurrency = 8;

const summary = v.object({
  model: v.string(),
  transaction: v.string(),
  version: v.number(),
  updatedAt: v.string(),
});

type Instance = v.InferOutput<typeof summary>;

// As they came, with all else that they have: names go back into requests, and are not shown.
const instancesResponse = v.object({
  instances: v.array(v.custom<Instance>((each) => v.is(summary, each), 'no instance')),
});

const entries = v.object({ entries: v.array(v.unknown()) });

/**
 * The lines of an export: each instance, and behind it, if that is wanted, its events. Every instance that is there
 * when it begins is in it once, in an order that changes do not move; one that changes meanwhile is as it was when it
 * was read, and its events are up to then or later. No more than a page of instances, and the first pages of their
 * histories, is in memory.
 *
 * Throws `ApiError`.
 *
 * @yields the instances, page by page
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
        limit: maximumPageSize,
        cursor,
      });
    for await (const { answer } of readAllPages(ask)) {
      const { instances } = answer.read(instancesResponse);
      const wanted = instances.filter(({ updatedAt }) => Date.parse(updatedAt) >= since);
      const lines = history ? withHistories(api, wanted, onSkipped) : withoutHistories(wanted);
      yield { instancesRead: instances.length, instances: lines };
    }
  }
}

async function* withoutHistories(
  instances: readonly Instance[],
): AsyncGenerator<AsyncGenerator<string>> {
  for (const instance of instances) yield linesOf(instance, none());
}

async function* withHistories(
  api: ApiClient,
  instances: readonly Instance[],
  onSkipped: OnSkipped,
): AsyncGenerator<AsyncGenerator<string>> {
  const read = (instance: Instance) =>
    historyOf(api, instance).catch((error) => skipUnreadable(instance, error, onSkipped));
  const histories = await pMap(instances, read, { concurrency });
  for (const [index, instance] of instances.entries())
    yield linesOf(instance, histories[index] ?? none());
}

async function* none(): AsyncGenerator<ApiResponse> {}

async function* linesOf(
  instance: Instance,
  history: AsyncIterable<ApiResponse>,
): AsyncGenerator<string> {
  yield JSON.stringify({ instance });
  const { model, transaction } = instance;
  for await (const answer of history)
    for (const entry of answer.read(entries).entries)
      yield JSON.stringify({ model, transaction, entry });
}

/** The pages of an instance's history, of which the first one is read already. */
async function historyOf(api: ApiClient, instance: Instance): Promise<AsyncIterable<ApiResponse>> {
  // One whose first event is parked has no history.
  if (instance.version === 0) return none();
  if (!isPlain(instance)) await readInstance(api, instance);
  const path = `${instancePath(instance.model, instance.transaction)}/history`;
  const read = readAllPages((cursor) => api.get(path, { limit: maximumPageSize, cursor }));
  const first = await read.next();
  return (async function* () {
    if (!first.done) yield first.value.answer;
    for await (const { answer } of read) yield answer;
  })();
}

/** Whether a path certainly leads to an instance: nothing in its name means anything to a router or a gateway. */
const isPlain = ({ transaction }: InstanceKey) => /^[\w~:@-][\w~:@.-]*$/.test(transaction);
