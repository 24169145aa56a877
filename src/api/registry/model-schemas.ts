import * as v from 'valibot';
import { named } from '../http/named.ts';
import { count, time } from '../http/schema-values.ts';

/** A model in a list, without its diagram, event types, and step durations. */
export const model = named('ModelSummary', {
  id: v.string(),
  version: count,
  title: v.string(),
  statuses: v.array(v.string()),
  milestones: v.array(
    named('ModelMilestone', {
      id: v.string(),
      label: v.string(),
      optional: v.optional(v.boolean()),
    }),
  ),
  functionArn: v.string(),
});

const stepTimes = {
  count: v.pipe(
    count,
    v.description('the number of observed durations; older ones have less weight'),
  ),
  p50: v.pipe(
    v.number(),
    v.minValue(0),
    v.description('the median in seconds, with an error of up to 5%'),
  ),
  p90: v.pipe(
    v.number(),
    v.minValue(0),
    v.description('the 90th percentile in seconds, with an error of up to 5%'),
  ),
  distribution: named('DurationDistribution', {
    upTo: v.pipe(
      v.number(),
      v.minValue(0),
      v.description('the end of the last interval, in seconds'),
    ),
    shares: v.pipe(
      v.array(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
      v.description(
        'the share of the durations in each of several equal intervals from 0 to `upTo`; the last interval includes longer durations',
      ),
    ),
  }),
};

/** A model with its diagram, event types, and step durations. */
export const modelDetail = named('Model', {
  ...model.entries,
  eventTypes: v.array(v.string()),
  diagram: v.nullable(
    named('Diagram', {
      nodes: v.array(named('DiagramNode', { id: v.string(), label: v.string() })),
      edges: v.array(named('DiagramEdge', { from: v.string(), to: v.string(), label: v.string() })),
    }),
  ),
  labels: v.optional(
    v.pipe(
      v.record(v.string(), v.record(v.string(), v.string())),
      v.description(
        'translations for customer pages, by language and text; absent if there are none',
      ),
    ),
  ),
  steps: v.pipe(
    named('StepDurations', {
      milestones: v.array(
        named('MilestoneDuration', {
          from: v.pipe(
            v.nullable(v.string()),
            v.description('the id of a milestone; null for the start of the instance'),
          ),
          to: v.string(),
          ...stepTimes,
        }),
      ),
      statuses: v.array(named('StatusDuration', { status: v.string(), ...stepTimes })),
    }),
    v.description(
      'the observed durations from each milestone to the next (of finished instances) and in each status (of instances that have left it)',
    ),
  ),
});

/** A version of a model's code: one deployment. */
export const modelVersion = named('ModelVersion', {
  functionVersion: v.pipe(v.string(), v.description('the version number of the Lambda function')),
  version: v.pipe(count, v.description('the version that the model declares')),
  functionArn: v.string(),
  registeredAt: time,
  current: v.pipe(v.boolean(), v.description('true if this version applies events')),
});

export const modelList = named('ModelList', { models: v.array(model) });

export const versionList = named('ModelVersionList', { versions: v.array(modelVersion) });
