import { expect, it } from 'vitest';
import { decodeEvent } from '../../../src/core/event/event.ts';
import { sampledTrace } from '../../../src/core/event/trace-context.ts';

const traceId = '4efaaf4d1e8720b39541901950019ee5';
const parentId = '00f067aa0ba902b7';

it.each([
  ['the flag alone', `00-${traceId}-${parentId}-01`],
  ['other flags besides', `00-${traceId}-${parentId}-03`],
  ['what a later version adds', `01-${traceId}-${parentId}-01-more`],
])('knows a trace that is recorded, with %s', (_, traceparent) => {
  expect(sampledTrace(traceparent)).toEqual({ traceId, parentId });
});

it.each([
  ['that is not recorded', `00-${traceId}-${parentId}-00`],
  ['without an id', `00-${'0'.repeat(32)}-${parentId}-01`],
  ['without a parent', `00-${traceId}-${'0'.repeat(16)}-01`],
  ['of no version', `ff-${traceId}-${parentId}-01`],
  ['in capitals', `00-${traceId.toUpperCase()}-${parentId}-01`],
  ['with more at its end', `00-${traceId}-${parentId}-01x`],
  ['that is no text', 7],
  ['that is null', null],
  ['that is not there', undefined],
])('knows none of one %s', (_, traceparent) => {
  expect(sampledTrace(traceparent)).toBeUndefined();
});

const bytes = (more: object) =>
  Buffer.from(JSON.stringify({ id: 'a', type: 't', modelid: 'm', transactionid: 'T', ...more }));

it('comes with an event, and is no part of it', () => {
  const checked = decodeEvent(bytes({ traceparent: `00-${traceId}-${parentId}-01` }), 0);
  expect(checked).toMatchObject({ ok: true, trace: { traceId, parentId } });
  expect(JSON.stringify(checked.ok && checked.event)).not.toContain(traceId);
});

it('refuses no event for what its trace says', () => {
  expect(decodeEvent(bytes({ traceparent: { a: 1 } }), 0)).toMatchObject({ ok: true });
});
