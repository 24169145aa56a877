import * as v from 'valibot';
import { count, cursor, json, time } from '../http/schema-values.ts';

/** An instance in a list. */
export const summary = v.object({
  model: v.string(),
  modelVersion: count,
  transaction: v.string(),
  version: v.pipe(count, v.description('how many commits the instance has')),
  status: v.string(),
  done: v.boolean(),
  progress: v.pipe(
    v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
    v.description('null where the model has no milestones'),
  ),
  startedAt: v.pipe(v.nullable(time), v.description('null until an event is applied')),
  updatedAt: time,
  statusSince: time,
  parked: v.pipe(count, v.description('how many of its events wait for a redrive')),
});

const milestone = v.object({
  id: v.string(),
  label: v.string(),
  state: v.picklist(['reached', 'current', 'pending', 'late', 'skipped']),
  at: v.nullable(time),
  expectedBy: v.nullable(time),
});

const eta = v.object({
  id: v.pipe(v.string(), v.description('the milestone')),
  p50: v.pipe(time, v.description('half of the finished instances had reached it by then')),
  p90: v.pipe(time, v.description('nine of ten had')),
});

/** An instance with everything. */
export const instance = v.object({
  ...summary.entries,
  milestones: v.array(milestone),
  eta: v.pipe(
    v.array(eta),
    v.description('for milestones to come, where enough instances have finished to tell'),
  ),
  timers: v.array(v.object({ name: v.string(), dueAt: time })),
  state: json,
});

/** Which moment of an instance an answer is about. */
export const asOf = v.object({
  version: v.pipe(count, v.description('the commit that made it so')),
  at: v.pipe(time, v.description('the time that was asked for, or when that commit was made')),
});

const { parked: _parked, eta: _eta, ...known } = instance.entries;

/**
 * An instance as it was. How many events were parked then, and what was likely to come, is not kept: it
 * says nothing of them.
 */
export const pastInstance = v.object({ ...known, asOf });

export const instancePage = v.object({ instances: v.array(summary), cursor });

export const wholeInstancePage = v.object({ instances: v.array(instance), cursor });
