import { expect, it } from 'vitest';
import { placed } from '../../support/data/events.ts';
import { problem } from '../../support/data/problem.ts';
import { registryEntry } from '../../support/models/registry-entry.ts';
import { MemoryApi } from '../../support/service/memory-api.ts';

it('GET /api/instances/{model}/{transaction}/deadlines responds with 409 and the reason if the model fails', async () => {
  const api = new MemoryApi();
  api.models.register(registryEntry('counter', { milestones: [{ id: 'paid', label: 'Paid' }] }));
  await api.apply(placed(1));
  const failure = 'model counter failed to compute the deadlines: no tier';
  api.auditor.deadlines = () => Promise.resolve({ kind: 'answered', answer: { failure } });
  const answer = await api.get('/api/instances/counter/T1/deadlines');
  expect(answer).toMatchObject(problem(409, 'no tier'));
});
