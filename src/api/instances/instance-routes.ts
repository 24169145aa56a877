import { Hono } from 'hono';
import * as v from 'valibot';
import { Deadline } from '../../common/deadline.ts';
import { isKey } from '../../core/model/keys.ts';
import { toIso } from '../../core/time/timestamp.ts';
import { redriveRecord } from '../../stream/redrive-record.ts';
import type { RouteDependencies } from '../api-dependencies.ts';
import { listTotal } from '../counts/list-total.ts';
import { redriven } from '../dead-letters/dead-letter-schemas.ts';
import { describeOperation, type Operation } from '../http/describe-operation.ts';
import { cursorMember, pageQuery, pageRequest } from '../http/paging.ts';
import { instancePath } from '../http/path-parameters.ts';
import { filter, flag } from '../http/query.ts';
import type { InstanceQuery } from '../stores/instance-lists.ts';
import { checkNames } from './check-names.ts';
import { checkRedrivable } from './check-redrivable.ts';
import { forget, operation as forgetting } from './forget.ts';
import { entryPage } from './history-schemas.ts';
import { entryView } from './history-views.ts';
import { instance, instancePage, pastInstance, wholeInstancePage } from './instance-schemas.ts';
import { instanceView, parkedView, pastView, summaryView } from './instance-views.ts';
import { readAtEventTime } from './read-at-event-time.ts';
import { anyMomentQuery, eventTimeOfQuery, momentOfQuery, readAtMoment } from './read-at-moment.ts';
import { readHistory, readHistoryFromEnd } from './read-history.ts';
import { checkInstanceKey, readInstance, UnknownInstance } from './read-instance.ts';
import { readParked } from './read-parked.ts';
import { readWholeInstances } from './read-whole-instances.ts';
import { rebuildInstance, operations as rebuilds, statusCodeOf } from './rebuilds.ts';

/** The maximum time that a list waits for its total, in milliseconds. */
const maximumWaitForTotal = 1_000;

/**
 * Lists instances, returns an instance or its history, redrives or rebuilds an instance, and forgets its personal data.
 * Routes with a suffix, such as `/history`, come first, because a transaction id can contain slashes, which API Gateway
 * decodes before the route is matched.
 */
export function instanceRoutes(environment: RouteDependencies): Hono {
  const {
    instances,
    parking,
    lists,
    models,
    stepDurations: stepDurationsCache,
    ownStream,
    clock,
  } = environment;
  return new Hono()
    .get('/', describeOperation(operations.list), async (context) => {
      const query = context.req.query();
      await checkNames(environment, {
        model: nonEmpty(query.model),
        status: nonEmpty(query.status),
      });
      if (query.order === 'fixed') return context.json(await listInFixedOrder(environment, query));
      // A milestone is late from the millisecond after its deadline.
      const before = toIso(clock.now() - 1);
      const wanted = {
        model: nonEmpty(query.model),
        status: nonEmpty(query.status),
        prefix: nonEmpty(query.q),
        key: nonEmpty(query.key),
        ...((query.late === 'true' || query.risk === 'late') && { lateBy: before }),
        ...(query.risk === 'at-risk' && { atRiskBy: before }),
        ...(query.parked === 'true' && { parked: true as const }),
        ...(query.order === 'oldest' && { order: 'oldest' as const }),
      };
      const [page, total] = await Promise.all([
        lists.list(wanted, pageRequest('instances', query)),
        listTotalInTime(environment, wanted),
      ]);
      const summaries = page.items.map((row) => summaryView(row, clock.now()));
      return context.json({
        instances: summaries,
        total,
        ...cursorMember('instances', page.cursor, query),
      });
    })
    .get(
      '/:model/:transaction{[^]+}/history',
      describeOperation(operations.history),
      async (context) => {
        const key = checkInstanceKey(context.req.param());
        const query = context.req.query();
        const read = query.order === 'newest' ? readHistoryFromEnd : readHistory;
        const page = await read(instances, key, pageRequest('history', query));
        const entries = page.items.map(({ commit, entry }) => entryView(commit, entry));
        return context.json({ entries, ...cursorMember('history', page.cursor, query) });
      },
    )
    .post(
      '/:model/:transaction{[^]+}/redrive',
      describeOperation(operations.redrive),
      async (context) => {
        const key = checkInstanceKey(context.req.param());
        const { hasParked } = await readInstance(instances, key);
        const redriven = hasParked ? await parking.count(key) : 0;
        if (redriven > 0) {
          await checkRedrivable(models, key);
          await ownStream.put([redriveRecord(key)]);
        }
        return context.json({ redriven }, 202);
      },
    )
    .post(
      '/:model/:transaction{[^]+}/rebuild',
      describeOperation(rebuilds.one),
      async (context) => {
        const query = context.req.query();
        const key = checkInstanceKey(context.req.param());
        await readInstance(instances, key);
        return context.json(await rebuildInstance(environment, key, query), statusCodeOf(query));
      },
    )
    .post('/:model/:transaction{[^]+}/forget', describeOperation(forgetting), async (context) =>
      context.json(
        await forget(environment, checkInstanceKey(context.req.param()), context.req.query()),
      ),
    )
    .get('/:model/:transaction{[^]+}', describeOperation(operations.one), async (context) => {
      const key = checkInstanceKey(context.req.param());
      const query = context.req.query();
      const eventTime = eventTimeOfQuery(query, clock.now());
      if (eventTime !== undefined) {
        const entry = await models.get(key.model);
        const past = await readAtEventTime(environment, key, entry, eventTime);
        return context.json(pastView(past, { version: past.version, eventTime }, entry));
      }
      const moment = momentOfQuery(query, clock.now());
      if (moment) {
        const found = [readAtMoment(instances, key, moment), models.get(key.model)] as const;
        const [{ commit, at }, entry] = await Promise.all(found);
        return context.json(pastView(commit, { version: commit.version, at }, entry));
      }
      const [{ commit, hasParked }, entry, stepDurations] = await Promise.all([
        readInstance(instances, key),
        models.get(key.model),
        stepDurationsCache.of(key.model),
      ]);
      const parked = await readParked(parking, key, hasParked);
      if (commit)
        return context.json(instanceView(commit, parked, { entry, stepDurations }, clock.now()));
      const { count, oldest } = parked;
      if (!oldest) throw new UnknownInstance(key);
      return context.json(parkedView(key, { count, oldest }, entry, clock.now()));
    });
}

/**
 * Returns the total of a list; undefined if it is unknown, or if the counters cannot be read in time. A list does not
 * need its total.
 */
async function listTotalInTime(
  { counts, clock, logError }: Pick<RouteDependencies, 'counts' | 'clock' | 'logError'>,
  wanted: InstanceQuery,
): Promise<number | undefined> {
  try {
    const total = await Deadline.in(clock, maximumWaitForTotal).race(listTotal(counts, wanted));
    return total === 'late' ? undefined : total;
  } catch (error) {
    logError(error);
    return undefined;
  }
}

/**
 * Reads a page of the instances of a model in fixed order, as summaries or, if `full` is true, as complete instances.
 */
async function listInFixedOrder(
  environment: RouteDependencies,
  query: Readonly<Record<string, string>>,
) {
  const request = pageRequest('instances-fixed', query);
  if (query.full === 'true') {
    const { items, unreadable, cursor } = await readWholeInstances(
      environment,
      query.model!,
      request,
    );
    return {
      instances: items,
      ...(unreadable.length > 0 && { unreadable }),
      ...cursorMember('instances-fixed', cursor, query),
    };
  }
  const { items, cursor } = await environment.lists.inFixedOrder(query.model!, request);
  return {
    instances: items.map((row) => summaryView(row, environment.clock.now())),
    ...cursorMember('instances-fixed', cursor, query),
  };
}

/** Returns the value of a filter, or undefined if it is empty, because forms send unused fields as empty values. */
const nonEmpty = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

const keyMessage = ({ received }: v.BaseIssue<unknown>) =>
  `\`key\` must be a name and a value joined by a colon, such as customer:42; got ${received}`;
const listFilters = {
  status: filter('status', 'only instances with this status', 'Active'),
  q: filter('q', 'only instances whose transaction id starts with this text'),
  key: v.optional(
    v.pipe(
      v.string(keyMessage),
      v.check((text) => text === '' || isKey(text), keyMessage),
      v.metadata({
        pattern: '^$|^[a-z][a-zA-Z0-9_-]{0,31}:[\\s\\S]{1,256}$',
        description: 'only instances with this business key, such as customer:42',
      }),
    ),
  ),
  risk: v.optional(
    v.pipe(
      v.picklist(
        ['', 'at-risk', 'late'],
        ({ received }) => `\`risk\` must be at-risk or late; got ${received}`,
      ),
      v.description(
        'late: only instances with a late milestone; at-risk: only instances with a milestone that is at risk and without a late milestone',
      ),
    ),
  ),
  late: flag('late', 'short for risk=late'),
  parked: flag('parked', 'only instances with parked events'),
};
/**
 * The parameters that select the instances of a list: filters, or a model whose instances are all listed in fixed
 * order.
 */
const selection = v.pipe(
  v.strictObject({
    model: filter('model', 'only instances of this model', 'activation'),
    ...listFilters,
    order: v.optional(
      v.pipe(
        v.picklist(
          ['newest', 'oldest', 'fixed'],
          ({ received }) => `\`order\` must be newest, oldest or fixed; got ${received}`,
        ),
        v.description(
          'newest (default): latest change first; oldest: longest unchanged first or, with `risk`, `late` or `parked`, longest at risk, late or parked first; fixed: all instances of a model, in an order that changes do not affect, for exports. Except for fixed, the order is exact only within a page. Across pages, instances are sorted by the latest change to the status, completion, progress, deadlines, timers or business keys; with `risk`, the time at which the instance first became at risk or late; with `parked`, the time at which the oldest parked event of the instance was parked',
        ),
      ),
    ),
    full: flag('full', 'with order=fixed: complete instances instead of summaries'),
  }),
  v.check(
    ({ order, full, model = '', ...others }) =>
      order !== 'fixed' ? full === undefined : model !== '' && Object.keys(others).length === 0,
    '`order=fixed` requires `model` and cannot be combined with other filters; `full` requires `order=fixed`',
  ),
  v.metadata({
    anyOf: [
      { properties: { order: { enum: ['newest', 'oldest'] }, full: false } },
      {
        required: ['order', 'model'],
        properties: {
          order: { const: 'fixed' },
          model: { minLength: 1 },
          ...Object.fromEntries(Object.keys(listFilters).map((name) => [name, false])),
        },
      },
    ],
  }),
);

const historyOrder = v.optional(
  v.pipe(
    v.picklist(
      ['oldest', 'newest'],
      ({ received }) => `\`order\` must be oldest or newest; got ${received}`,
    ),
    v.description(
      'oldest (default): the order in which the events were recorded; newest: the reverse order',
    ),
  ),
);

const tag = 'instances';
const operations = {
  list: {
    summary: 'List instances',
    description:
      'Returns instances in the order that `order` describes. The other parameters filter the list by model, status, business key or the start of the transaction id, or limit the list to instances that are late, are at risk or have parked events. If few instances match, a page can contain fewer instances than `limit`, or none, although it has a `cursor`.',
    tag,
    revalidated: true,
    answers: { 200: v.union([instancePage, wholeInstancePage]) },
    problems: [404],
    query: {
      selection,
      ...pageQuery,
    },
  },
  history: {
    summary: "Get an instance's history",
    description:
      'Returns the applied and rejected events of an instance with their outcomes and the states after them, oldest first or, with `order=newest`, newest first.',
    tag,
    path: instancePath,
    revalidated: true,
    answers: { 200: entryPage },
    problems: [404],
    query: { order: historyOrder, ...pageQuery },
  },
  one: {
    summary: 'Get an instance',
    description:
      'Returns an instance with its state, milestones and timers. To get a past state as it was recorded, set `version` or `at`. To get the state at an event time, set `asOfEventTime`: the model then folds the applied events that had happened by that time, in the order in which they were recorded.',
    tag,
    path: instancePath,
    revalidated: true,
    answers: { 200: v.union([instance, pastInstance]) },
    problems: [404, 409],
    query: anyMomentQuery,
  },
  redrive: {
    summary: 'Redrive an instance',
    description: 'Retries the parked events of an instance, in order.',
    tag,
    path: instancePath,
    answers: { 202: redriven },
    problems: [404, 409],
  },
} satisfies Record<string, Operation>;
