import { Hono } from 'hono';
import { modelIdPattern } from '../../core/event/event.ts';
import type { RouteEnvironment } from '../api-dependencies.ts';
import { describe, type Operation } from '../http/describe.ts';
import { modelPath } from '../http/path-parameters.ts';
import { noModel } from '../instances/known-names.ts';
import { rebuildSome, operations as rebuilds, statusOf } from '../instances/rebuilds.ts';
import { modelDetail, pages } from '../schemas.ts';
import { modelDetailView, modelView } from './model-views.ts';

/** What models there are. */
export function modelRoutes(environment: RouteEnvironment): Hono {
  const { models, stepDurations: paces } = environment;
  return new Hono()
    .get('/', describe(operations.list), async (context) => {
      const entries = await models.list();
      return context.json({ models: entries.map((entry) => modelView(entry)) });
    })
    .get('/:model', describe(operations.one), async (context) => {
      const id = context.req.param('model');
      const entry = modelIdPattern.test(id) ? await models.get(id) : undefined;
      if (!entry) throw await noModel(models, id);
      return context.json(modelDetailView(entry, await paces.of(id)));
    })
    .post('/:model/rebuild', describe(rebuilds.some), async (context) => {
      const query = context.req.query();
      const answer = await rebuildSome(environment, context.req.param('model'), query);
      return context.json(answer, statusOf(query));
    });
}

const operations = {
  list: {
    summary: 'Lists the models',
    tag: 'models',
    revalidated: true,
    answers: { 200: pages.models },
  },
  one: {
    summary: 'Shows a model, with its event types, its diagram and how long its steps take',
    tag: 'models',
    path: modelPath,
    revalidated: true,
    answers: { 200: modelDetail },
    problems: [404],
  },
} satisfies Record<string, Operation>;
