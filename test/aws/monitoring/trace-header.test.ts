import { expect, it } from 'vitest';
import { traceparentOf } from '../../../src/aws/monitoring/trace-header.ts';

const root = 'Root=1-5759e988-bd862e3fe1be46a994272793';
const parent = 'Parent=53995c3f42cd8ad8';

it('traceparentOf returns the trace and the parent of a sampled invocation', () => {
  expect(traceparentOf(`${root};${parent};Sampled=1;Lineage=1:a87bd80c:0`)).toBe(
    '00-5759e988bd862e3fe1be46a994272793-53995c3f42cd8ad8-01',
  );
});

it.each([
  ['is not sampled', `${root};${parent};Sampled=0`],
  ['has no sampling decision', `${root};${parent}`],
  ['has no parent', `${root};Sampled=1`],
  ['has no root', `${parent};Sampled=1`],
  ['has no header', undefined],
  ['has a header in another format', 'something'],
])('traceparentOf returns undefined for an invocation that %s', (_, header) => {
  expect(traceparentOf(header)).toBeUndefined();
});
