import * as v from 'valibot';
import { count, time } from '../http/schema-values.ts';

/** A model in a list. */
export const model = v.object({
  id: v.string(),
  version: count,
  title: v.string(),
  statuses: v.array(v.string()),
  milestones: v.array(
    v.object({ id: v.string(), label: v.string(), optional: v.optional(v.boolean()) }),
  ),
  functionArn: v.string(),
});

const stepTimes = {
  count: v.pipe(count, v.description('how many times of it were seen; old ones count less')),
  p50: v.pipe(v.number(), v.minValue(0), v.description('seconds, within 5 %')),
  p90: v.pipe(v.number(), v.minValue(0), v.description('seconds, within 5 %')),
};

/** A model with everything. */
export const modelDetail = v.object({
  ...model.entries,
  eventTypes: v.array(v.string()),
  diagram: v.nullable(
    v.object({
      nodes: v.array(v.object({ id: v.string(), label: v.string() })),
      edges: v.array(v.object({ from: v.string(), to: v.string(), label: v.string() })),
    }),
  ),
  steps: v.pipe(
    v.object({
      milestones: v.array(
        v.object({
          from: v.pipe(v.nullable(v.string()), v.description('null: from the start')),
          to: v.string(),
          ...stepTimes,
        }),
      ),
      statuses: v.array(v.object({ status: v.string(), ...stepTimes })),
    }),
    v.description('how long steps took: milestones of finished instances, statuses that were left'),
  ),
});

/** A model's code as one deployment left it. */
export const modelVersion = v.object({
  functionVersion: v.pipe(v.string(), v.description("the number of its function's version")),
  version: v.pipe(count, v.description('what the model said of its version')),
  functionArn: v.string(),
  registeredAt: time,
  current: v.pipe(v.boolean(), v.description('whether it is what applies events')),
});

export const modelList = v.object({ models: v.array(model) });

export const versionList = v.object({ versions: v.array(modelVersion) });
