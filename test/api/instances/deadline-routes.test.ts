import { beforeEach, describe, expect, it } from 'vitest';
import type { DeadlinesInvocation } from '../../../src/api/stores/model-auditor.ts';
import { placed } from '../../support/data/events.ts';
import { problem } from '../../support/data/problem.ts';
import { registryEntry } from '../../support/models/registry-entry.ts';
import { MemoryApi } from '../../support/service/memory-api.ts';

describe('GET /api/instances/{model}/{transaction}/deadlines', () => {
  const path = '/api/instances/counter/T1/deadlines';
  const milestones = ['paid', 'packed', 'shipped'].map((id) => ({ id, label: id }));
  const timeline = { start: '2026-01-01T00:00:00.000Z', end: '2026-01-02T00:00:00.000Z' };
  const whole = { ...timeline, pauses: [], closed: [] };

  let api: MemoryApi;
  beforeEach(async () => {
    api = new MemoryApi();
    api.models.register(registryEntry('counter', { milestones }));
    await api.apply(placed(1));
  });
  const answerWith = (answer: Extract<DeadlinesInvocation, { kind: 'answered' }>['answer']) => {
    api.auditor.deadlines = () => Promise.resolve({ kind: 'answered', answer });
  };

  it('lists the timelines in the order of the milestones, without milestones that have no deadline', async () => {
    answerWith({ deadlines: { shipped: whole, paid: whole } });
    expect((await api.get(path)).body).toEqual({
      deadlines: [
        { id: 'paid', ...whole },
        { id: 'shipped', ...whole },
      ],
    });
  });

  it('responds with 409 and the reason if the model fails', async () => {
    answerWith({ failure: 'model counter failed to compute the deadlines: no tier' });
    expect(await api.get(path)).toMatchObject(problem(409, 'no tier'));
  });

  it('returns an empty list if the model has no milestones or is no longer registered', async () => {
    answerWith({ deadlines: { paid: whole } });
    api.models.register(registryEntry('counter'));
    expect((await api.get(path)).body).toEqual({ deadlines: [] });
    api.models.unregister('counter');
    expect((await api.get(path)).body).toEqual({ deadlines: [] });
  });
});
