import { Hono } from 'hono';
import type { RouteDependencies } from '../api-dependencies.ts';
import { describeOperation, type Operation } from '../http/describe-operation.ts';
import { modelPath } from '../http/path-parameters.ts';
import { rebuildInstances, operations as rebuilds, statusCodeOf } from '../instances/rebuilds.ts';
import { modelDetail, modelList } from './model-schemas.ts';
import { modelDetailView, modelView } from './model-views.ts';
import { readModel } from './read-model.ts';

/** Serves the list of models and each model's details, and rebuilds a model's instances. */
export function modelRoutes(dependencies: RouteDependencies): Hono {
  const { models, stepDurations: stepDurationsCache } = dependencies;
  return new Hono()
    .get('/', describeOperation(operations.list), async (context) => {
      const entries = await models.list();
      return context.json({ models: entries.map((entry) => modelView(entry)) });
    })
    .get('/:model', describeOperation(operations.one), async (context) => {
      const id = context.req.param('model');
      const entry = await readModel(models, id);
      return context.json(modelDetailView(entry, await stepDurationsCache.of(id)));
    })
    .post('/:model/rebuild', describeOperation(rebuilds.some), async (context) => {
      const query = context.req.query();
      const answer = await rebuildInstances(dependencies, context.req.param('model'), query);
      return context.json(answer, statusCodeOf(query));
    });
}

const operations = {
  list: {
    id: 'listModels',
    summary: 'List models',
    description: 'Returns every registered model.',
    tag: 'models',
    revalidated: true,
    answers: { 200: modelList },
  },
  one: {
    id: 'getModel',
    summary: 'Get a model',
    description: 'Returns a model with its event types, diagram, and step durations.',
    tag: 'models',
    path: modelPath,
    revalidated: true,
    answers: { 200: modelDetail },
    problems: [404],
  },
} satisfies Record<string, Operation>;
