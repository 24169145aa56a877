import * as v from 'valibot';
import { count, cursor, json, time } from '../http/schema-values.ts';

/** An instance in a list. */
export const summary = v.object({
  model: v.string(),
  modelVersion: count,
  transaction: v.string(),
  version: v.pipe(count, v.description('the number of commits of the instance')),
  status: v.string(),
  done: v.boolean(),
  progress: v.pipe(
    v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
    v.description('null if the model has no milestones'),
  ),
  startedAt: v.pipe(v.nullable(time), v.description('null until an event is applied')),
  updatedAt: time,
  statusSince: time,
  parked: v.pipe(count, v.description('the number of parked events of the instance')),
});

const milestone = v.object({
  id: v.string(),
  label: v.string(),
  state: v.picklist(['reached', 'current', 'pending', 'late', 'skipped']),
  at: v.nullable(time),
  expectedBy: v.nullable(time),
});

const eta = v.object({
  id: v.pipe(v.string(), v.description('the id of the milestone')),
  p50: v.pipe(
    time,
    v.description('the time by which half of the instances are expected to reach the milestone'),
  ),
  p90: v.pipe(
    time,
    v.description('the time by which nine of ten instances are expected to reach the milestone'),
  ),
});

/** A complete instance. */
export const instance = v.object({
  ...summary.entries,
  milestones: v.array(milestone),
  eta: v.pipe(
    v.array(eta),
    v.description('estimates for pending milestones, once enough instances have finished'),
  ),
  timers: v.array(v.object({ name: v.string(), dueAt: time })),
  state: json,
});

/** The moment that a response represents. */
export const asOf = v.object({
  version: v.pipe(count, v.description('the latest commit at that moment')),
  at: v.pipe(time, v.description('the requested time, or the time of the requested commit')),
});

const { parked: _parked, eta: _eta, ...known } = instance.entries;

/** An instance at a moment in the past. Past parked counts and estimates are not stored, so they are absent. */
export const pastInstance = v.object({ ...known, asOf });

export const instancePage = v.object({
  instances: v.array(summary),
  total: v.pipe(
    v.optional(count),
    v.description(
      'the number of instances on all pages, with a delay of a few seconds; absent unless the list is of one model and has no other filters than `status` or `parked`',
    ),
  ),
  cursor,
});

export const wholeInstancePage = v.object({ instances: v.array(instance), cursor });
