import { Hono } from 'hono';
import * as v from 'valibot';
import { redriveRecord } from '../../stream/redrive-record.ts';
import type { RouteDependencies } from '../api-dependencies.ts';
import { redriven } from '../dead-letters/dead-letter-schemas.ts';
import { describeOperation, type Operation } from '../http/describe-operation.ts';
import { cursorMember, pageQuery, pageRequest } from '../http/paging.ts';
import { instancePath } from '../http/path-parameters.ts';
import { checkRedrivable } from './check-redrivable.ts';
import { forget, operation as forgetting } from './forget.ts';
import { entryPage } from './history-schemas.ts';
import { entryView } from './history-views.ts';
import { anyInstance } from './instance-schemas.ts';
import { pastView, viewOfInstance } from './instance-views.ts';
import { readAtEventTime } from './read-at-event-time.ts';
import { anyMomentQuery, eventTimeOfQuery, momentOfQuery, readAtMoment } from './read-at-moment.ts';
import { readHistory, readHistoryFromEnd } from './read-history.ts';
import { checkInstanceKey, readInstance, UnknownInstance } from './read-instance.ts';
import { findWithParked } from './read-parked.ts';
import { rebuildInstance, operations as rebuilds, statusCodeOf } from './rebuilds.ts';

/**
 * Serves an instance and its history, redrives and rebuilds an instance, and forgets its personal data. Routes with a
 * suffix, such as `/history`, come first because a transaction id can contain slashes, which API Gateway decodes before
 * the route is matched.
 */
export function instanceRoutes(dependencies: RouteDependencies): Hono {
  const {
    instances,
    parking,
    models,
    stepDurations: stepDurationsCache,
    ownStream,
    clock,
  } = dependencies;
  return new Hono()
    .get(
      '/:model/:transaction{[^]+}/history',
      describeOperation(operations.history),
      async (context) => {
        const key = checkInstanceKey(context.req.param());
        const query: Readonly<Record<string, string>> = { ...context.req.query(), ...key };
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
        return context.json(await rebuildInstance(dependencies, key, query), statusCodeOf(query));
      },
    )
    .post('/:model/:transaction{[^]+}/forget', describeOperation(forgetting), async (context) =>
      context.json(
        await forget(dependencies, checkInstanceKey(context.req.param()), context.req.query()),
      ),
    )
    .get('/:model/:transaction{[^]+}', describeOperation(operations.one), async (context) => {
      const key = checkInstanceKey(context.req.param());
      const query = context.req.query();
      const eventTime = eventTimeOfQuery(query, clock.now());
      if (eventTime !== undefined) {
        const entry = await models.get(key.model);
        const past = await readAtEventTime(dependencies, key, entry, eventTime);
        return context.json(pastView(past, { version: past.version, eventTime }, entry));
      }
      const moment = momentOfQuery(query, clock.now());
      if (moment) {
        const found = [readAtMoment(instances, key, moment), models.get(key.model)] as const;
        const [{ commit, at }, entry] = await Promise.all(found);
        return context.json(pastView(commit, { version: commit.version, at }, entry));
      }
      const [found, entry, stepDurations] = await Promise.all([
        findWithParked(dependencies, key),
        models.get(key.model),
        stepDurationsCache.of(key.model),
      ]);
      const view = found && viewOfInstance(key, found, { entry, stepDurations }, clock.now());
      if (!view) throw new UnknownInstance(key);
      return context.json(view);
    });
}

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
  history: {
    id: 'getHistory',
    summary: "Get an instance's history",
    description:
      "Returns an instance's applied and rejected events with their outcomes and the states after them, oldest first or, with `order=newest`, newest first.",
    tag,
    path: instancePath,
    revalidated: true,
    answers: { 200: entryPage },
    problems: [404],
    query: { order: historyOrder, ...pageQuery },
  },
  one: {
    id: 'getInstance',
    summary: 'Get an instance',
    description:
      'Returns an instance with its state, milestones, and timers. To get the state that was recorded at a past time, set `version` or `at`. To get the state at an event time, set `asOfEventTime`: the model then folds the applied events that had happened by that time, in the order they were recorded.',
    tag,
    path: instancePath,
    revalidated: true,
    answers: { 200: anyInstance },
    problems: [404, 409],
    query: anyMomentQuery,
  },
  redrive: {
    id: 'redriveInstance',
    summary: 'Redrive an instance',
    description: "Retries an instance's parked events in order.",
    tag,
    path: instancePath,
    answers: { 202: redriven },
    problems: [404, 409],
  },
} satisfies Record<string, Operation>;
