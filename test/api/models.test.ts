import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryApi } from '../support/memory-api.ts';
import { registryEntry } from '../support/memory-model-registry.ts';
import { problem } from '../support/problem.ts';

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
