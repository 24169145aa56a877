import { Hono } from 'hono';
import { modelIdPattern } from '../core/event.ts';
import type { ApiEnvironment } from './app.ts';
import { Problem } from './problem.ts';
import { modelDetailView, modelView } from './views.ts';

/** What models there are. */
export function modelRoutes({ models }: Pick<ApiEnvironment, 'models'>): Hono {
  return new Hono()
    .get('/', async (context) => {
      const entries = await models.list();
      return context.json({ models: entries.map((entry) => modelView(entry)) });
    })
    .get('/:model', async (context) => {
      const id = context.req.param('model');
      const entry = modelIdPattern.test(id) ? await models.get(id) : undefined;
      if (!entry) throw new Problem(404, `there is no model ${id}`);
      return context.json(modelDetailView(entry));
    });
}
