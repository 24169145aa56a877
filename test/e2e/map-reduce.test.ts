import { describe, expect, it } from 'vitest';
import { instancePath } from '../support/service/service.ts';
import { sharedService } from '../support/service/shared-service.ts';

interface Instance {
  readonly status: string;
  readonly done: boolean;
  readonly progress: number;
  readonly state: { readonly results: Record<string, number | null>; readonly result?: number };
}

const service = sharedService();

const submit = (job: string, data: object) =>
  service.post({
    id: job,
    type: 'job.submitted',
    modelid: 'map-reduce',
    transactionid: job,
    data,
  });
const reduced = (job: string) =>
  service.eventually<Instance>(
    instancePath('map-reduce', job),
    ({ status }) => status === 'Reduced',
  );

describe('a map-reduce job', () => {
  it('maps chunks and reduces their results', async () => {
    const items = Array.from({ length: 100 }, (_, i) => i + 1);
    await submit('J-1', { items });
    const { done, progress, state } = await reduced('J-1');
    expect({ done, progress }).toEqual({ done: true, progress: 1 });
    expect(state).toEqual({
      chunks: 10,
      results: { 0: 55, 1: 155, 2: 255, 3: 355, 4: 455, 5: 555, 6: 655, 7: 755, 8: 855, 9: 955 },
      result: 5050,
    });
    const { body } = await service.ask<Instance>(instancePath('map-chunk', 'J-1:9'));
    expect(body).toMatchObject({ status: 'Mapped', done: true, state: { value: 955 } });
  });

  it('accepts more chunks than items', async () => {
    await submit('J-2', { items: [3, -7, 5], chunks: 50, map: 'min' });
    const { state } = await reduced('J-2');
    expect(state.result).toBe(-7);
    expect(Object.keys(state.results)).toHaveLength(50);
    expect(state.results).toMatchObject({ 0: null, 48: null, 49: -7 });
  });
});
