import { Hono } from 'hono';
import { statusOfTotal, statusTotal, totals } from '../../core/counters/counter.ts';
import type { RegistryEntry } from '../../core/model/registry-entry.ts';
import { weekOf } from '../../core/status/deadline-results.ts';
import { lastMinutes } from '../../core/status/event-rate.ts';
import type { ApiDependencies } from '../api-dependencies.ts';
import { instancesOfTotal } from '../counts/instances-of-total.ts';
import { sumOfTotals } from '../counts/list-total.ts';
import { describeOperation, type Operation } from '../http/describe-operation.ts';
import { attainmentOf, attainmentOfAll } from './attainment.ts';
import { overview } from './overview-schema.ts';

const day = 86_400_000;
/** The number of minutes in `eventsPerMinute`. */
const minutesShown = 60;
/** The maximum number of dead letters to count. */
const maximumLettersCounted = 100;

/**
 * Serves the counts for each model and for all models, including the instances that need attention, the SLA attainment,
 * and the events per minute.
 */
export function overviewRoutes({
  counts,
  models,
  deadLetters,
  observations,
  clock,
}: Pick<ApiDependencies, 'counts' | 'models' | 'deadLetters' | 'observations' | 'clock'>): Hono {
  return new Hono().get('/', describeOperation(operation), async (context) => {
    const now = clock.now();
    const [entries, counted] = await Promise.all([models.list(), counts.countedModels()]);
    const ids = entries.map(({ id }) => id);
    const weeks = [weekOf(now - 7 * day), weekOf(now)];
    const [totalsByModel, deadlines, events, letters] = await Promise.all([
      counts.totals([...new Set([...ids, ...counted])]),
      counts.deadlines(
        entries.filter(({ milestones }) => milestones.length > 0).map(({ id }) => id),
        weeks,
      ),
      observations.eventCounts(ids, now),
      deadLetters.count(maximumLettersCounted),
    ]);
    const ofAllModels = (isWanted: (total: string) => boolean) => ({
      instances: sumOfTotals(totalsByModel, isWanted),
      more: false,
    });
    const exact = (id: string, name: string) => ({
      instances: instancesOfTotal(totalsByModel.get(id)?.get(name)),
      more: false,
    });
    return context.json({
      models: entries.map(({ id, title, statuses }: RegistryEntry) => ({
        id,
        title,
        statuses: statuses.map((status) => ({ status, ...exact(id, statusTotal(status)) })),
        parked: exact(id, totals.parked),
        late: exact(id, totals.late),
        sla: weeks.flatMap((from) => {
          const milestones = attainmentOf(deadlines.get(id) ?? new Map(), from, now);
          return milestones.length > 0 ? [{ from, ...attainmentOfAll(milestones) }] : [];
        }),
        eventsPerMinute: lastMinutes(events.get(id) ?? [], minutesShown, now),
      })),
      instances: ofAllModels((total) => statusOfTotal(total) !== undefined),
      parked: ofAllModels((total) => total === totals.parked),
      late: ofAllModels((total) => total === totals.late),
      deadLetters: { deadLetters: letters.count, more: letters.more },
    });
  });
}

const operation: Operation = {
  id: 'getOverview',
  summary: 'Get counts for every model',
  description:
    'Returns counts for each model: instances by status, late instances, instances with parked events, the results of deadlines in the previous and the current week, and events per minute. Also returns the number of dead letters and the total numbers of instances, late instances, and instances with parked events; these totals include models that were removed from the registry. The instance counts are exact but lag by a few seconds. An instance that becomes late without an event is counted within about a minute.',
  tag: 'instances',
  revalidated: true,
  answers: { 200: overview },
};
