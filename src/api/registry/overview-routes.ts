import { Hono } from 'hono';
import pMap from 'p-map';
import type { RegistryEntry } from '../../core/model/registry-entry.ts';
import { lastMinutes } from '../../core/status/event-rate.ts';
import { toIso } from '../../core/time/timestamp.ts';
import type { ApiDependencies } from '../api-dependencies.ts';
import { describeOperation, type Operation } from '../http/describe-operation.ts';
import type { CappedCount, CappedCountByModel } from '../stores/instance-lists.ts';
import { overview } from './overview-schema.ts';

/** The number of models whose statuses are counted in parallel. */
const concurrency = 4;
/** The number of minutes in the event rates. */
const minutesShown = 60;
/** The maximum number of dead letters to count. */
const maximumLettersCounted = 100;

/** Counts the instances of each model by status, those that need attention, and the events per minute. */
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
