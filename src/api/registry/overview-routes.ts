import { Hono } from 'hono';
import pMap from 'p-map';
import type { RegistryEntry } from '../../core/model/registry-entry.ts';
import { lastMinutes } from '../../core/status/event-rate.ts';
import { toIso } from '../../core/time/timestamp.ts';
import type { ApiDependencies } from '../api-dependencies.ts';
import { describeOperation, type Operation } from '../http/describe-operation.ts';
import type { CappedCount, CappedCountByModel } from '../stores/instance-lists.ts';
import { overview } from './overview-schema.ts';

/** Counts of so many statuses at the same time. */
const concurrency = 4;
/** For so many minutes the events of each are told. */
const minutesShown = 60;
/** Up to so many dead letters are counted. */
const maximumLettersCounted = 100;

/** How many instances there are of each model and status, how many need somebody, how many events come. */
export function overviewRoutes({
  lists,
  models,
  deadLetters,
  observations,
  clock,
}: Pick<ApiDependencies, 'lists' | 'models' | 'deadLetters' | 'observations' | 'clock'>): Hono {
  return new Hono().get('/', describeOperation(operation), async (context) => {
    const now = clock.now();
    const entries = await models.list();
    const ids = entries.map(({ id }) => id);
    const [events, late, parked, letters] = await Promise.all([
      observations.eventCounts(ids, now),
      lists.countByModel({ lateBy: toIso(now) }),
      lists.countByModel({ parked: true }),
      deadLetters.list({ limit: maximumLettersCounted }),
    ]);
    const statuses = async ({ id, statuses }: RegistryEntry) =>
      pMap(statuses, async (status) => ({
        status,
        ...instanceCount(await lists.count(id, status)),
      }));
    return context.json({
      models: await pMap(
        entries,
        async (entry) => ({
          id: entry.id,
          title: entry.title,
          statuses: await statuses(entry),
          parked: instanceCount(countOfModel(parked, entry)),
          late: instanceCount(countOfModel(late, entry)),
          eventsPerMinute: lastMinutes(events.get(entry.id) ?? [], minutesShown, now),
        }),
        { concurrency },
      ),
      deadLetters: { deadLetters: letters.items.length, more: letters.cursor !== undefined },
    });
  });
}

const countOfModel = (
  { counts, more }: CappedCountByModel,
  { id }: RegistryEntry,
): CappedCount => ({
  count: counts.get(id) ?? 0,
  more,
});

const instanceCount = ({ count, more }: CappedCount) => ({ instances: count, more });

const operation: Operation = {
  summary: 'Get counts for every model',
  description:
    'Counts the instances of each model by status, late instances, instances with parked events, dead letters and events per minute.',
  tag: 'instances',
  revalidated: true,
  answers: { 200: overview },
};
