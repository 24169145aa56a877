import type { InferOutput } from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import type { modelDetail } from '../../src/api/schemas.ts';
import { Pace } from '../../src/core/pace.ts';
import { leaving, reaching } from '../../src/core/step-times.ts';
import { MemoryApi } from '../support/memory-api.ts';
import { registryEntry } from '../support/memory-model-registry.ts';
import { problem } from '../support/problem.ts';

type ModelDetail = InferOutput<typeof modelDetail>;
/** About so many seconds: what is read from a sketch is within 5 %. */
const within = (seconds: number) =>
  expect.toSatisfy((value: number) => Math.abs(value - seconds) <= 0.051 * seconds);

let api: MemoryApi;
beforeEach(() => {
  api = new MemoryApi();
});

const counter = {
  id: 'counter',
  version: 1,
  title: 'The model counter',
  statuses: ['Low', 'High'],
  milestones: [],
  functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:counter',
};

describe('GET /api/models', () => {
  it('lists every model', async () => {
    api.models.entries.set('adder', registryEntry('adder', { version: 3 }));
    expect((await api.get('/api/models')).body).toEqual({
      models: [expect.objectContaining({ id: 'adder', version: 3 }), counter],
    });
  });

  it('is an empty list where there is none', async () => {
    api.models.entries.clear();
    expect(await api.get('/api/models')).toMatchObject({ status: 200, body: { models: [] } });
  });
});

describe('GET /api/models/{model}', () => {
  it('shows one, with its event types and its diagram', async () => {
    const diagram = { nodes: [{ id: 'Low', label: 'Low' }], edges: [] };
    api.models.entries.set('drawn', registryEntry('drawn', { diagram }));
    expect((await api.get('/api/models/drawn')).body).toMatchObject({ id: 'drawn', diagram });
    expect((await api.get('/api/models/counter')).body).toEqual({
      ...counter,
      eventTypes: ['added'],
      diagram: null,
      steps: { milestones: [], statuses: [] },
    });
  });

  it('shows how long its steps took', async () => {
    const milestones = [
      { id: 'a', label: 'A' },
      { id: 'b', label: 'B' },
      { id: 'c', label: 'C' },
    ];
    api.models.entries.set('paced', registryEntry('paced', { milestones }));
    const pace = new Pace();
    for (let i = 0; i < 10; i++)
      pace.add([
        { step: reaching(null, 'a'), ms: 0 },
        { step: reaching('a', 'b'), ms: i < 8 ? 1000 : 60_000 },
        { step: leaving('Low'), ms: 3_600_000 },
      ]);
    await api.observations.addPace('paced', pace);
    const { body } = await api.get<ModelDetail>('/api/models/paced');
    expect(body.steps).toEqual({
      milestones: [
        { from: null, to: 'a', count: 10, p50: 0, p90: 0 },
        { from: 'a', to: 'b', count: 10, p50: within(1), p90: within(60) },
      ],
      statuses: [{ status: 'Low', count: 10, p50: within(3600), p90: within(3600) }],
    });
  });

  it.each(['nobody', 'No%20Model', 'a%2Fb', '%25', 'constructor', 'x'.repeat(3000)])(
    'says 404 to %s',
    async (id) => {
      expect(await api.get(`/api/models/${id}`)).toMatchObject(problem(404, 'there is no model'));
    },
  );

  it('asks the registry for nothing that can be no model', async () => {
    await api.get('/api/models/Nobody');
    expect(api.models.reads).toEqual(new Map());
  });
});
