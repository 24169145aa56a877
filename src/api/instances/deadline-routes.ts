import { Hono } from 'hono';
import * as v from 'valibot';
import { toIso } from '../../core/time/timestamp.ts';
import type { RouteDependencies } from '../api-dependencies.ts';
import { describeOperation, type Operation } from '../http/describe-operation.ts';
import { named } from '../http/named.ts';
import { instancePath } from '../http/path-parameters.ts';
import { time } from '../http/schema-values.ts';
import { modelAnswer } from '../registry/model-answer.ts';
import { checkInstanceKey, readInstance } from './read-instance.ts';

const span = named('TimeSpan', { from: time, until: time });

/** The timeline of each of an instance's deadlines, from its start to its end. */
export const deadlineList = named('DeadlineList', {
  deadlines: v.array(
    named('DeadlineTimeline', {
      id: v.pipe(v.string(), v.description('the id of the milestone')),
      start: v.pipe(time, v.description('when the deadline starts to run')),
      end: v.pipe(
        time,
        v.description(
          'the deadline; the time when the milestone was reached, if that was after the deadline or during a pause; or the current time, if the milestone has not been reached and the deadline has passed or is paused',
        ),
      ),
      pauses: v.pipe(
        v.array(span),
        v.description(
          'the pauses between `start` and `end`; the last pause may still be in progress',
        ),
      ),
      closed: v.pipe(
        v.array(span),
        v.description(
          'the times when the calendar is closed; empty without a calendar, or if there are more than 200',
        ),
      ),
    }),
  ),
});

/**
 * Serves the timelines of an instance's deadlines. The model's Lambda function computes the timelines because it
 * contains the calendars.
 */
export function deadlineRoutes({
  instances,
  models,
  auditor,
  clock,
}: Pick<RouteDependencies, 'instances' | 'models' | 'auditor' | 'clock'>): Hono {
  return new Hono().get(
    '/:model/:transaction{[^]+}/deadlines',
    describeOperation(operation),
    async (context) => {
      const key = checkInstanceKey(context.req.param());
      const [entry] = await Promise.all([models.get(key.model), readInstance(instances, key)]);
      // Without milestones, there are no deadlines; without the model, nothing can compute their timelines.
      if (!entry || entry.milestones.length === 0) return context.json({ deadlines: [] });
      const { transaction } = key;
      const request = { op: 'deadlines', transaction, now: toIso(clock.now()) } as const;
      const invocation = await auditor.deadlines(entry.functionArn, request);
      const { deadlines } = modelAnswer(invocation);
      return context.json({
        deadlines: entry.milestones.flatMap(({ id }) =>
          Object.hasOwn(deadlines, id) ? [{ id, ...deadlines[id] }] : [],
        ),
      });
    },
  );
}

const operation: Operation = {
  id: 'listDeadlines',
  summary: "Get the timelines of an instance's deadlines",
  description:
    "Returns the start of each deadline, its pauses, and the times when its calendar is closed, for milestones that were reached or are expected. Invokes the model's Lambda function. A model that is not declared with `defineProcess` has timelines only if it has a `deadlines` function. Models in other languages have none.",
  tag: 'instances',
  revalidated: true,
  path: instancePath,
  answers: { 200: deadlineList },
  problems: [404, 409],
};
