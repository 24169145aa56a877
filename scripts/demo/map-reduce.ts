import { expect, type Stage } from './stage.ts';

/**
 * The scenario of the map-reduce model: a list of items is split into chunks, each chunk is mapped separately, and the
 * results are reduced.
 */
export async function mapReduce(stage: Stage): Promise<void> {
  stage.title('Map and reduce');
  const items = Array.from({ length: 103 }, (_, i) => i + 1);
  await stage.put('map-reduce', 'job-1', 'job.submitted', { items, map: 'sum' });
  const { state, status } = await stage.instance<{ result?: number }>(
    'map-reduce',
    'job-1',
    ({ done }) => done,
  );
  stage.print(state);
  stage.print(`${status}: ${state.result}`);
  expect(
    state.result,
    items.reduce((sum, item) => sum + item, 0),
  );
}
