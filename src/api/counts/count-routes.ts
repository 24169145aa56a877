import { Hono } from 'hono';
import * as v from 'valibot';
import { type CounterGroup, statusOfTotal } from '../../core/counters/counter.ts';
import { modelIdPattern } from '../../core/event/event.ts';
import type { ApiDependencies } from '../api-dependencies.ts';
import { describeOperation, type Operation } from '../http/describe-operation.ts';
import { cursorMember, pageQuery, pageRequest } from '../http/paging.ts';
import { checkNames } from '../instances/check-names.ts';
import { counterRebuild, countPage } from './count-schemas.ts';
import { instancesOfTotal } from './instances-of-total.ts';

/** How long a request can rebuild the counters before it returns, in milliseconds. */
const rebuildTime = 5_000;

type CountDependencies = Pick<
  ApiDependencies,
  'counts' | 'lists' | 'models' | 'clock' | 'rebuildCounters'
>;

/** Counts a model's instances by status, by start date, or by a business key, and rebuilds the counters. */
export function countRoutes(dependencies: CountDependencies): Hono {
  const { counts, clock, rebuildCounters } = dependencies;
  return new Hono()
    .get('/', describeOperation(operations.count), async (context) => {
      const query = context.req.query();
      const { model = '', by = 'status' } = query;
      await checkNames(dependencies, { model });
      if (by === 'status')
        return context.json({ model, by, counts: await countByStatus(dependencies, model) });
      const { limit, cursor: after } = pageRequest('counts', query);
      const isByDay = by === 'day';
      const request = { limit, after, newestFirst: isByDay };
      const page = await counts.inGroup(model, by as CounterGroup, request);
      return context.json({
        model,
        by,
        counts: page.counts.map(({ name: value, instances }) => ({ value, instances })),
        ...cursorMember('counts', page.last, query),
      });
    })
    .post('/rebuild', describeOperation(operations.rebuild), async (context) => {
      const progress = await rebuildCounters(clock.now() + rebuildTime);
      return context.json(progress, progress.step === 'done' ? 200 : 202);
    });
}

/**
 * Returns the number of instances with each status, in the order that the model declares the statuses. Statuses that
 * the model no longer declares come last if instances still have them.
 */
async function countByStatus({ counts, models }: CountDependencies, model: string) {
  const [totals, entry] = await Promise.all([counts.totals([model]), models.get(model)]);
  const byStatus = new Map(
    [...(totals.get(model) ?? [])].flatMap(([total, instances]) => {
      const status = statusOfTotal(total);
      return status === undefined ? [] : [[status, instances] as const];
    }),
  );
  const declared = entry?.statuses ?? [];
  const others = [...byStatus].filter(
    ([status, instances]) => instances > 0 && !declared.includes(status),
  );
  return [...declared, ...others.map(([status]) => status).toSorted()].map((value) => ({
    value,
    instances: instancesOfTotal(byStatus.get(value)),
  }));
}

const byMessage = ({ received }: v.BaseIssue<unknown>) =>
  `\`by\` must be status, day, or key:NAME with the name of a business key, such as key:customer; got ${received}`;

const countQuery = {
  model: v.pipe(
    v.string('`model` is required, because instances are counted for one model at a time'),
    v.regex(
      modelIdPattern,
      ({ received }) =>
        `\`model\` must have 1 to 64 characters from a-z, 0-9, and -; got ${received}`,
    ),
    v.description('the id of the model'),
  ),
  by: v.optional(
    v.pipe(
      v.string(byMessage),
      v.regex(/^(?:status|day|key:[a-z][a-zA-Z0-9_-]{0,31})$/, byMessage),
      v.metadata({
        description:
          '`status` (the default); `day`: the day in UTC on which instances started, newest first; `key:customer`: the values of the business key `customer`, in the order of their UTF-8 bytes',
        examples: ['status', 'day', 'key:customer'],
      }),
    ),
  ),
  ...pageQuery,
} as const;

const operations = {
  count: {
    id: 'countInstances',
    summary: 'Count instances',
    description:
      "Counts a model's instances by status, by start date, or by a business key. The counts are exact but lag by a few seconds. Counts by status ignore `limit` and `cursor`. Except for statuses, values without instances are omitted, so a page can contain fewer values than `limit`.",
    tag: 'instances',
    query: countQuery,
    answers: { 200: countPage },
    problems: [404],
    revalidated: true,
  },
  rebuild: {
    id: 'rebuildCounters',
    summary: 'Rebuild the counters',
    description:
      'Counts all instances again while Milepost continues to process events. The current counters remain in use until the new ones are complete. Each request starts a rebuild or continues the one in progress, and returns within about five seconds. Repeat the request until `step` is `done`.',
    tag: 'instances',
    answers: { 200: counterRebuild, 202: counterRebuild },
  },
} satisfies Record<string, Operation>;
