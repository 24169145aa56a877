import { Hono } from 'hono';
import * as v from 'valibot';
import { Deadline } from '../../common/deadline.ts';
import { isKey } from '../../core/model/keys.ts';
import { toIso } from '../../core/time/timestamp.ts';
import type { RouteDependencies } from '../api-dependencies.ts';
import { listTotal } from '../counts/list-total.ts';
import { describeOperation, type Operation } from '../http/describe-operation.ts';
import { cursorMember, pageQuery, pageRequest } from '../http/paging.ts';
import { filter, flag } from '../http/query-parameters.ts';
import type { InstanceQuery } from '../stores/instance-lists.ts';
import { checkNames } from './check-names.ts';
import { anyInstancePage } from './instance-schemas.ts';
import { summaryView } from './instance-views.ts';
import { readWholeInstances } from './read-whole-instances.ts';

/** How long a list waits for its total, in milliseconds. */
const maximumWaitForTotal = 1_000;

/** Lists instances that match filters, or all of a model's instances in fixed order. */
export function instanceListRoutes(dependencies: RouteDependencies): Hono {
  const { lists, clock } = dependencies;
  return new Hono().get('/', describeOperation(operation), async (context) => {
    const query = context.req.query();
    await checkNames(dependencies, {
      model: nonEmpty(query.model),
      status: nonEmpty(query.status),
    });
    if (query.order === 'fixed') return context.json(await listInFixedOrder(dependencies, query));
    const wanted = wantedInstances(query, clock.now());
    const [page, total] = await Promise.all([
      lists.list(wanted, pageRequest('instances', query)),
      listTotalInTime(dependencies, wanted),
    ]);
    return context.json({
      instances: page.items.map((row) => summaryView(row, clock.now())),
      total,
      ...cursorMember('instances', page.cursor, query),
    });
  });
}

/** Returns a list's filters and order. `now` is in milliseconds since 1970. */
function wantedInstances(query: Readonly<Record<string, string>>, now: number): InstanceQuery {
  // A milestone becomes late one millisecond after its deadline.
  const before = toIso(now - 1);
  return {
    model: nonEmpty(query.model),
    status: nonEmpty(query.status),
    prefix: nonEmpty(query.q),
    key: nonEmpty(query.key),
    ...((query.late === 'true' || query.risk === 'late') && { lateBy: before }),
    ...(query.risk === 'at-risk' && { atRiskBy: before }),
    ...(query.parked === 'true' && { parked: true }),
    ...(query.order === 'oldest' && { order: 'oldest' }),
  };
}

/**
 * Returns a list's total; undefined if it is unknown or the counters cannot be read in time. A list is useful without
 * its total.
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

/** Reads a page of a model's instances in fixed order, as summaries or, if `full` is true, as complete instances. */
async function listInFixedOrder(
  dependencies: RouteDependencies,
  query: Readonly<Record<string, string>>,
) {
  const request = pageRequest('instances-fixed', query);
  if (query.full === 'true') {
    const { items, unreadable, cursor } = await readWholeInstances(
      dependencies,
      query.model!,
      request,
    );
    return {
      instances: items,
      ...(unreadable.length > 0 && { unreadable }),
      ...cursorMember('instances-fixed', cursor, query),
    };
  }
  const { items, cursor } = await dependencies.lists.inFixedOrder(query.model!, request);
  return {
    instances: items.map((row) => summaryView(row, dependencies.clock.now())),
    ...cursorMember('instances-fixed', cursor, query),
  };
}

/** Returns the value of a filter, or undefined if it is empty: forms send unused fields as empty values. */
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
/** The parameters that select a list's instances: filters, or a model whose instances are all listed in fixed order. */
const selection = v.pipe(
  v.strictObject({
    model: filter('model', 'only instances of this model', 'activation'),
    ...listFilters,
    order: v.optional(
      v.pipe(
        v.picklist(
          ['newest', 'oldest', 'fixed'],
          ({ received }) => `\`order\` must be newest, oldest, or fixed; got ${received}`,
        ),
        v.description(
          "newest (default): latest change first; oldest: longest unchanged first or, with `risk`, `late`, or `parked`, longest at risk, late, or parked first; fixed: all of a model's instances, for exports, in an order that stays the same when instances change; requires `model` and cannot be combined with other filters. Except for fixed, the order is exact only within a page. Across pages, instances are sorted by when their status, completion, progress, deadlines, timers, or business keys last changed; with `risk`, by when the instance first became at risk or late; with `parked`, by when the instance's oldest parked event arrived. With `q` or `key`, `risk` and `parked` do not affect the order across pages",
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
);

const operation: Operation = {
  id: 'listInstances',
  summary: 'List instances',
  description:
    'Returns instances in the order that `order` describes. The other parameters filter the list by model, status, business key, or transaction id prefix, or limit the list to instances that are late, are at risk, or have parked events. If few instances match, a page can contain fewer instances than `limit`, or none, although it has a `cursor`.',
  tag: 'instances',
  revalidated: true,
  answers: { 200: anyInstancePage },
  problems: [404],
  query: {
    selection,
    ...pageQuery,
  },
};
