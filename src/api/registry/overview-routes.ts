import { Hono } from 'hono';
import pMap from 'p-map';
import type { RegistryEntry } from '../../core/model/registry-entry.ts';
import { lastMinutes } from '../../core/status/event-rate.ts';
import { toIso } from '../../core/time/timestamp.ts';
import type { ApiEnvironment } from '../api-dependencies.ts';
import { describe, type Operation } from '../http/describe.ts';
import { overview } from '../schemas.ts';
import type { Tally, TallyByModel } from '../stores/instance-lists.ts';

/** Counts of so many statuses at the same time. */
const concurrency = 4;
/** For so many minutes the events of each are told. */
const minutesShown = 60;
/** Up to so many dead letters are counted. */
const mostLetters = 100;

/** How many instances there are of each model and status, how many need somebody, how many events come. */
export function overviewRoutes({
  lists,
  models,
  deadLetters,
  observations,
  clock,
}: Pick<ApiEnvironment, 'lists' | 'models' | 'deadLetters' | 'observations' | 'clock'>): Hono {
  return new Hono().get('/', describe(operation), async (context) => {
    const now = clock.now();
    const entries = await models.list();
    const ids = entries.map(({ id }) => id);
    const [events, late, parked, letters] = await Promise.all([
      observations.eventCounts(ids, now),
      lists.countByModel({ lateBy: toIso(now) }),
      lists.countByModel({ parked: true }),
      deadLetters.list({ limit: mostLetters }),
    ]);
    const statuses = async ({ id, statuses }: RegistryEntry) =>
      pMap(statuses, async (status) => ({ status, ...instances(await lists.count(id, status)) }));
    return context.json({
      models: await pMap(
        entries,
        async (entry) => ({
          id: entry.id,
          title: entry.title,
          statuses: await statuses(entry),
          parked: instances(of(parked, entry)),
          late: instances(of(late, entry)),
          eventsPerMinute: lastMinutes(events.get(entry.id) ?? [], minutesShown, now),
        }),
        { concurrency },
      ),
      deadLetters: { deadLetters: letters.items.length, more: letters.cursor !== undefined },
    });
  });
}

const of = ({ counts, more }: TallyByModel, { id }: RegistryEntry): Tally => ({
  count: counts.get(id) ?? 0,
  more,
});

const instances = ({ count, more }: Tally) => ({ instances: count, more });

const operation: Operation = {
  summary:
    'Counts the instances of each model by status, what is late, parked or a dead letter, and events',
  tag: 'instances',
  revalidated: true,
  answers: { 200: overview },
};
