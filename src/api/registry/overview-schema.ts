import * as v from 'valibot';
import { named } from '../http/named.ts';
import { count, time } from '../http/schema-values.ts';
import { attainment } from './attainment-schema.ts';

const tally = {
  more: v.pipe(
    v.boolean(),
    v.description('true if there are more dead letters than the service counts'),
  ),
};

/** Counts of instances are exact because they come from counters and have no limit. */
const exact = {
  more: v.pipe(v.literal(false), v.description('always false: the count is exact')),
};

const ofAllModels = v.pipe(
  named('InstanceCount', { instances: count, ...exact }),
  v.description('the total for all models, including models that were removed from the registry'),
);

/** Counts of instances, deadlines, and events by model, and the count of dead letters. */
export const overview = named('Overview', {
  models: v.array(
    named('ModelOverview', {
      id: v.string(),
      title: v.string(),
      statuses: v.array(named('StatusCount', { status: v.string(), instances: count, ...exact })),
      parked: named('InstanceCount', { instances: count, ...exact }),
      late: named('InstanceCount', { instances: count, ...exact }),
      sla: v.pipe(
        v.array(
          named('WeekAttainment', {
            from: v.pipe(v.string(), v.isoDate(), v.description('the Monday of the week')),
            ...attainment,
          }),
        ),
        v.description(
          'the results of the deadlines of all milestones in the previous and the current week; weeks without deadlines are omitted',
        ),
      ),
      eventsPerMinute: v.pipe(
        v.array(named('MinuteCount', { minute: time, events: count })),
        v.description(
          'the number of events applied or rejected in each of the last 60 minutes; lags by a few seconds',
        ),
      ),
    }),
  ),
  instances: ofAllModels,
  parked: ofAllModels,
  late: ofAllModels,
  deadLetters: named('DeadLetterCount', { deadLetters: count, ...tally }),
});
