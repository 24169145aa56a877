import * as v from 'valibot';
import { named } from '../http/named.ts';
import { count, cursor, json, time } from '../http/schema-values.ts';

const lateBy = v.optional(
  v.pipe(
    v.string(),
    v.description('how late the milestone is or was, as an ISO 8601 duration of elapsed time'),
  ),
);

const risk = named('Risk', {
  state: v.picklist(['at-risk', 'late']),
  milestone: v.pipe(
    v.nullable(v.string()),
    v.description('the id of the milestone; null if it is unknown'),
  ),
  since: v.pipe(time, v.description('when the instance became at risk or late')),
  lateBy,
});

/** An instance in a list, without its state, milestones, and timers. */
export const summary = named('InstanceSummary', {
  model: v.string(),
  modelVersion: count,
  transaction: v.string(),
  version: v.pipe(count, v.description("the number of the instance's commits")),
  status: v.string(),
  done: v.boolean(),
  progress: v.pipe(
    v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
    v.description(
      'null if it is unknown, for example, because the model has no milestones and returns no progress',
    ),
  ),
  startedAt: v.pipe(
    v.nullable(time),
    v.description(
      'the earliest event time of the applied events, except timer events; null until such an event is applied',
    ),
  ),
  updatedAt: v.pipe(
    time,
    v.description(
      'when the latest commit was recorded or, without commits, when the oldest parked event arrived',
    ),
  ),
  statusSince: v.pipe(
    time,
    v.description(
      'the event time of the event that set the status or, without commits, when the oldest parked event arrived',
    ),
  ),
  parked: v.pipe(count, v.description("the number of the instance's parked events")),
  keys: v.optional(
    v.pipe(v.array(v.string()), v.description('the business keys, such as `customer:42`, if any')),
  ),
  risk: v.optional(v.pipe(risk, v.description('absent if no milestone is late or at risk'))),
});

const milestone = named('Milestone', {
  id: v.string(),
  label: v.string(),
  state: v.picklist(['reached', 'current', 'pending', 'at-risk', 'late', 'skipped']),
  at: v.nullable(time),
  expectedBy: v.pipe(
    v.nullable(time),
    v.description('the deadline; null if there is none or it is paused'),
  ),
  atRiskAt: v.nullable(time),
  paused: v.optional(v.literal(true)),
  lateBy,
});

const eta = named('Estimate', {
  id: v.pipe(v.string(), v.description('the id of the milestone')),
  p50: v.pipe(
    time,
    v.description('the estimated time of the milestone; half of the instances reach it by then'),
  ),
  p90: v.pipe(
    time,
    v.description(
      'a conservative estimate of the time of the milestone; nine of ten instances reach it by then',
    ),
  ),
});

/** An instance with its state, milestones, and timers. */
export const instance = v.object({
  ...summary.entries,
  reference: v.optional(
    v.pipe(
      v.string(),
      v.description(
        'the name that the customer sees for the instance, such as an order number; absent if the model returns none',
      ),
    ),
  ),
  oldestParked: v.optional(
    v.pipe(
      named('OldestParkedEvent', {
        eventId: v.string(),
        reason: v.string(),
        at: v.pipe(time, v.description('when the stream received the event')),
      }),
      v.description(
        'the oldest parked event, which the other parked events wait for; absent if no event is parked',
      ),
    ),
  ),
  milestones: v.array(milestone),
  eta: v.pipe(
    v.optional(v.array(eta)),
    v.description(
      'estimates for milestones that are neither reached nor skipped; absent if there are none, for example, because too few instances have finished, and absent for a past instance',
    ),
  ),
  timers: v.array(named('Timer', { name: v.string(), dueAt: time })),
  state: json,
});

/** The record time that a past instance represents. */
export const asOf = named('RecordedMoment', {
  version: v.pipe(count, v.description('the version of the latest commit at that moment')),
  at: v.pipe(time, v.description('the requested time, or the record time of the requested commit')),
});

/** The event time that a past instance represents. */
const asOfEventTime = v.object({
  version: v.pipe(
    count,
    v.description('the version of the latest commit that contains one of the folded events'),
  ),
  eventTime: v.pipe(time, v.description('the requested time')),
});

const { parked, oldestParked, eta: estimates, ...known } = instance.entries;

/** An instance at a moment in the past, without parked events and estimates, whose past values are not stored. */
export const pastInstance = v.object({ ...known, asOf: v.union([asOf, asOfEventTime]) });

export const instancePage = v.object({
  instances: v.array(summary),
  total: v.pipe(
    v.optional(count),
    v.description(
      'the number of instances on all pages, which lags by a few seconds; absent with `q`, `key`, `risk=at-risk`, or `order=fixed`, with more than one of `status`, `risk=late`, and `parked`, and if the counters cannot be read',
    ),
  ),
  cursor,
});

const unreadable = v.pipe(
  v.optional(
    v.array(
      named('UnreadableInstance', {
        model: v.string(),
        transaction: v.string(),
        reason: v.string(),
      }),
    ),
  ),
  v.description(
    'the instances on the page whose stored data is damaged, and why they cannot be read; absent if there are none',
  ),
);

/*
 * The API description has one type for each response, because generated clients handle alternatives badly. Members that
 * exist in only one alternative are optional.
 */

/** An instance in the present or in the past. */
export const anyInstance = named('Instance', {
  ...known,
  parked: v.pipe(
    v.optional(parked),
    v.description('the number of parked events; absent for a past instance'),
  ),
  oldestParked,
  eta: estimates,
  asOf: v.pipe(
    v.optional(
      named('Moment', {
        version: asOf.entries.version,
        at: v.optional(asOf.entries.at),
        eventTime: v.optional(asOfEventTime.entries.eventTime),
      }),
    ),
    v.description('the moment of a past instance'),
  ),
});

/** A page of summaries or of complete instances. */
export const anyInstancePage = named('InstancePage', {
  instances: v.array(
    named('ListedInstance', {
      ...v.partial(v.object(instance.entries)).entries,
      ...summary.entries,
    }),
  ),
  total: instancePage.entries.total,
  unreadable,
  cursor,
});
