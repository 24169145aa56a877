import * as v from 'valibot';
import { named } from '../http/named.ts';
import { count } from '../http/schema-values.ts';

const date = v.pipe(v.string(), v.isoDate());

/** The number of deadlines with each result, and the share of the deadlines that were met. */
export const attainment = {
  met: v.pipe(count, v.description('the number of milestones that were reached on time')),
  breached: v.pipe(
    count,
    v.description(
      'the number of milestones that were reached after their deadline; once the week has ended, also counts milestones that were not reached',
    ),
  ),
  open: v.pipe(
    count,
    v.description(
      'the number of milestones that have not been reached yet; 0 once the week has ended',
    ),
  ),
  attainment: v.pipe(
    v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
    v.description(
      '`met` divided by the sum of `met` and `breached`, rounded down to four decimal places; null if both are 0',
    ),
  ),
};

/** The attainment of a model's deadlines by week and milestone. */
export const attainmentByWeek = named('SlaAttainment', {
  model: v.string(),
  weeks: v.pipe(
    v.array(
      named('SlaWeek', {
        from: v.pipe(date, v.description('the Monday of the week')),
        to: v.pipe(date, v.description('the Sunday of the week')),
        milestones: v.array(
          named('MilestoneAttainment', { id: v.string(), label: v.string(), ...attainment }),
        ),
      }),
    ),
    v.description('the weeks with deadlines, earliest first'),
  ),
});
