import { Hono } from 'hono';
import pMap from 'p-map';
import type { RegistryEntry } from '../core/registry-entry.ts';
import { toIso } from '../core/time.ts';
import type { Tally, TallyByModel } from '../service/ports.ts';
import type { ApiEnvironment } from './app.ts';
import { describe, type Operation } from './describe.ts';
import { overview } from './schemas.ts';

/** Counts of so many statuses at the same time. */
const concurrency = 4;
/** Up to so many dead letters are counted. */
const mostLetters = 100;

/** How many instances there are of each model and status, and how many need somebody. */
export function overviewRoutes({
  lists,
  models,
  deadLetters,
  clock,
}: Pick<ApiEnvironment, 'lists' | 'models' | 'deadLetters' | 'clock'>): Hono {
  return new Hono().get('/', describe(operation), async (context) => {
    const [entries, late, parked, letters] = await Promise.all([
      models.list(),
      lists.countByModel({ lateBy: toIso(clock.now()) }),
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
    'Counts the instances of each model by status, and what is late, parked or a dead letter',
  tag: 'instances',
  answers: { 200: overview },
};
