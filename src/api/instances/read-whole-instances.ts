import pMap from 'p-map';
import { mapWithin } from '../../common/map-within.ts';
import { messageOf } from '../../common/message-of.ts';
import { isPermanent } from '../../core/errors.ts';
import type { InstanceKey } from '../../core/event/event.ts';
import type { OptimisticRead } from '../../stores/instance-store.ts';
import type { ListPage, PageRequest } from '../../stores/paging.ts';
import type { SettledResult } from '../../stores/settled-result.ts';
import type { RouteDependencies } from '../api-dependencies.ts';
import { viewOfInstance } from './instance-views.ts';
import { findWithParked, readParked } from './read-parked.ts';

/** The maximum total size of the states on a page, in bytes. Lambda limits a response to 6 MB. */
const maximumPageBytes = 3 * 1024 * 1024;
/** The maximum number of instances whose parked events are read in parallel. */
const concurrency = 8;

type InstanceAnswer = NonNullable<ReturnType<typeof viewOfInstance>>;

/** An instance whose stored data is damaged, and why it cannot be read. */
interface UnreadableInstance extends InstanceKey {
  readonly reason: string;
}

/** A page of complete instances and the instances on the page that cannot be read. */
interface WholeInstancePage extends ListPage<InstanceAnswer> {
  readonly unreadable: readonly UnreadableInstance[];
}

/**
 * Reads a page of a model's complete instances in fixed order. If their states are large, the page has fewer instances
 * than requested. Instances are read in batches, so a page needs few database requests. An instance whose stored data
 * is damaged does not affect the other instances.
 */
export async function readWholeInstances(
  dependencies: Pick<
    RouteDependencies,
    'instances' | 'lists' | 'models' | 'stepDurations' | 'parking' | 'clock' | 'logError'
  >,
  model: string,
  request: PageRequest,
): Promise<WholeInstancePage> {
  const {
    instances,
    lists,
    models,
    stepDurations: stepDurationsCache,
    parking,
    clock,
    logError,
  } = dependencies;
  const [page, entry, stepDurations] = await Promise.all([
    lists.keysInFixedOrder(model, request),
    models.get(model),
    stepDurationsCache.of(model),
  ]);
  const answers = await instances.readOptimistic(page.items);
  const fitting = mapWithin(maximumPageBytes, answers, (answer) => answer, stateBytes);
  const now = clock.now();
  const viewOf = async (key: InstanceKey, index: number): Promise<InstanceAnswer[]> => {
    const answer = fitting[index]!;
    if ('error' in answer) throw answer.error;
    const { head, mayHaveParked } = answer.value;
    const found = head
      ? { commit: head, parked: await readParked(parking, key, mayHaveParked) }
      : await findWithParked(dependencies, key);
    const view = found && viewOfInstance(key, found, { entry, stepDurations }, now);
    return view ? [view] : [];
  };
  const viewOrReason = async (key: InstanceKey, index: number) => {
    try {
      return await viewOf(key, index);
    } catch (error) {
      if (!isDamaged(error)) throw error;
      logError(error);
      return { ...key, reason: messageOf(error) };
    }
  };
  const shown = page.items.slice(0, fitting.length);
  const views = await pMap(shown, viewOrReason, { concurrency });
  const items = views.flatMap((view) => ('reason' in view ? [] : view));
  const unreadable = views.filter((view) => 'reason' in view);
  const last = shown.at(-1);
  const cursor =
    last && fitting.length < page.items.length ? await lists.cursorAfter(last) : page.cursor;
  return { items, unreadable, ...(cursor !== undefined && { cursor }) };
}

/** Returns true if reading again cannot help, for example because stored data lacks an attribute or is not valid JSON. */
const isDamaged = (error: unknown) => isPermanent(error) || error instanceof SyntaxError;

/** Returns the size of an instance's state, in bytes; 0 if the instance has none or cannot be read. */
const stateBytes = (answer: SettledResult<OptimisticRead>) =>
  'value' in answer ? Buffer.byteLength(answer.value.head?.state ?? '') : 0;
