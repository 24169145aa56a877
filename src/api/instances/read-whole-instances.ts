import pMap from 'p-map';
import type { InstanceKey } from '../../core/event/event.ts';
import type { ListPage, PageRequest } from '../../stores/paging.ts';
import type { RouteDependencies } from '../api-dependencies.ts';
import { instanceView, parkedView } from './instance-views.ts';
import { readParked } from './read-parked.ts';

/** The maximum size of the states in a page, in bytes. Lambda limits responses to 6 MB. */
const maximumPageBytes = 3 * 1024 * 1024;
/** The maximum number of instances whose parked events are read in parallel. */
const concurrency = 8;

type InstanceAnswer = ReturnType<typeof instanceView>;

/**
 * Reads a page of complete instances of a model in fixed order. If their states are large, the page has fewer instances
 * than requested. Instances are read in batches, so a page needs few database requests.
 */
export async function readWholeInstances(
  environment: Pick<
    RouteDependencies,
    'instances' | 'lists' | 'models' | 'stepDurations' | 'parking' | 'clock'
  >,
  model: string,
  request: PageRequest,
): Promise<ListPage<InstanceAnswer>> {
  const {
    instances,
    lists,
    models,
    stepDurations: stepDurationsCache,
    parking,
    clock,
  } = environment;
  const [page, entry, stepDurations] = await Promise.all([
    lists.keysInFixedOrder(model, request),
    models.get(model),
    stepDurationsCache.of(model),
  ]);
  const heads = (await instances.readOptimistic(page.items)).map((answer) => {
    if ('error' in answer) throw answer.error;
    return answer.value;
  });
  const count = countWithinPage(heads.map(({ head }) => Buffer.byteLength(head?.state ?? '')));
  const now = clock.now();
  const viewOf = async (key: InstanceKey, index: number): Promise<InstanceAnswer[]> => {
    const { head, mayHaveParked } = heads[index]!;
    const parked = await readParked(parking, key, mayHaveParked || !head);
    if (head) return [instanceView(head, parked, { entry, stepDurations }, now)];
    const { count, oldest } = parked;
    return oldest ? [parkedView(key, { count, oldest }, entry, now)] : [];
  };
  const shown = page.items.slice(0, count);
  const items = (await pMap(shown, viewOf, { concurrency })).flat();
  const last = shown.at(-1);
  const cursor = last && count < page.items.length ? await lists.cursorAfter(last) : page.cursor;
  return cursor === undefined ? { items } : { items, cursor };
}

/** Returns the number of states, given their sizes in bytes, that fit into a page: at least one. */
function countWithinPage(sizes: readonly number[]): number {
  let bytes = 0;
  const end = sizes.findIndex((size, index) => {
    bytes += size;
    return bytes > maximumPageBytes && index > 0;
  });
  return end < 0 ? sizes.length : end;
}
