import { expect, it } from 'vitest';
import { decodeEvent } from '../../../src/core/event/event.ts';
import { sampledTrace } from '../../../src/core/event/trace-context.ts';

const traceId = '4efaaf4d1e8720b39541901950019ee5';
const parentId = '00f067aa0ba902b7';

it.each([
  ['only the sampled flag', `00-${traceId}-${parentId}-01`],
  ['additional flags', `00-${traceId}-${parentId}-03`],
  ['fields of a later version', `01-${traceId}-${parentId}-01-more`],
])('sampledTrace reads a trace with %s', (_, traceparent) => {
  expect(sampledTrace(traceparent)).toEqual({ traceId, parentId });
});

it.each([
  ['is not sampled', `00-${traceId}-${parentId}-00`],
  ['has no id', `00-${'0'.repeat(32)}-${parentId}-01`],
  ['has no parent', `00-${traceId}-${'0'.repeat(16)}-01`],
  ['has an invalid version', `ff-${traceId}-${parentId}-01`],
  ['is in capitals', `00-${traceId.toUpperCase()}-${parentId}-01`],
  ['has trailing characters', `00-${traceId}-${parentId}-01x`],
  ['is not a string', 7],
  ['is null', null],
  ['is missing', undefined],
])('sampledTrace ignores a trace that %s', (_, traceparent) => {
  expect(sampledTrace(traceparent)).toBeUndefined();
});

const bytes = (more: object) =>
  Buffer.from(JSON.stringify({ id: 'a', type: 't', modelid: 'm', transactionid: 'T', ...more }));

it('a trace is decoded with an event, but is not part of the event', () => {
  const checked = decodeEvent(bytes({ traceparent: `00-${traceId}-${parentId}-01` }), 0);
  expect(checked).toMatchObject({ ok: true, trace: { traceId, parentId } });
  expect(JSON.stringify(checked.ok && checked.event)).not.toContain(traceId);
});

it('an invalid trace never causes an event to be rejected', () => {
  expect(decodeEvent(bytes({ traceparent: { a: 1 } }), 0)).toMatchObject({ ok: true });
});
