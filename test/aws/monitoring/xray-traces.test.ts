import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { xray } from '../../../src/aws/client/xray.ts';
import { XRayTraces } from '../../../src/aws/monitoring/xray-traces.ts';
import { listen } from '../../../src/aws-local/server/listen.ts';
import type { DispatchOutcome } from '../../../src/dispatcher/monitoring/metrics.ts';
import type { Span } from '../../../src/dispatcher/monitoring/span-exporter.ts';

const trace = { traceId: '4efaaf4d1e8720b39541901950019ee5', parentId: '00f067aa0ba902b7' };
const from = Date.UTC(2026, 0, 1);
const span = (event: string, ending: DispatchOutcome = 'applied'): Span => ({
  trace,
  model: 'tickets',
  transaction: 'final',
  event,
  outcome: ending,
  startedAt: from,
  endedAt: from + 250,
});

async function recorded(spans: readonly Span[]) {
  const requests: string[][] = [];
  const putTraceSegments = async (documents: readonly string[]) => {
    requests.push([...documents]);
    return [];
  };
  await new XRayTraces({ putTraceSegments }, () => {}).export(spans);
  return requests.map((documents) => documents.map((each) => JSON.parse(each)));
}

it("XRayTraces adds a segment with the start and end of the span to the sender's trace", async () => {
  expect(await recorded([span('e1')])).toEqual([
    [
      {
        name: 'Milepost/tickets',
        id: expect.stringMatching(/^[\da-f]{16}$/),
        trace_id: '1-4efaaf4d-1e8720b39541901950019ee5',
        parent_id: '00f067aa0ba902b7',
        start_time: 1_767_225_600,
        end_time: 1_767_225_600.25,
        annotations: { model: 'tickets', transaction: 'final', event: 'e1', ending: 'applied' },
      },
    ],
  ]);
});

it('XRayTraces marks a parked event as a fault and a rejected event as an error', async () => {
  const [segments] = await recorded([span('a', 'parked'), span('b', 'rejected'), span('c')]);
  expect(segments).toMatchObject([{ fault: true }, { error: true }, {}]);
  expect(segments?.[2]).not.toHaveProperty('error');
});

it('XRayTraces sends up to fifty segments per request, each with a unique id', async () => {
  const requests = await recorded(Array.from({ length: 120 }, (_, i) => span(`e${i}`)));
  expect(requests.map((segments) => segments.length)).toEqual([50, 50, 20]);
  expect(new Set(requests.flat().map(({ id }) => id)).size).toBe(120);
});

it('XRayTraces reports a failed request instead of throwing its error', async () => {
  const said: unknown[] = [];
  const failure = new Error('not now');
  const putTraceSegments = () => Promise.reject(failure);
  await new XRayTraces({ putTraceSegments }, (error) => said.push(error)).export([span('e1')]);
  expect(said).toEqual([failure]);
});

it('XRayTraces reports the segments that X-Ray rejects in a successful response', async () => {
  const said: unknown[] = [];
  const putTraceSegments = async () => [
    { ErrorCode: 'ThrottlingException', Message: 'Rate exceeded' },
  ];
  const traces = new XRayTraces({ putTraceSegments }, (error) => said.push(error));
  await traces.export([span('e1'), span('e2')]);
  expect(said).toEqual([
    new Error('X-Ray rejected 1 of 2 segments: ThrottlingException Rate exceeded'),
  ]);
});

it('XRayTraces sends requests and reads responses in the format of X-Ray', async () => {
  const received = Promise.withResolvers<{ path: string | undefined; body: unknown }>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
      received.resolve({ path: request.url, body });
      response.end('{"UnprocessedTraceSegments":[{"ErrorCode":"ParseError","Id":null}]}');
    });
  });
  await using endpoint = await listen(server, 0);
  const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
  const client = xray({ region: 'us-east-1', endpoint: endpoint.url, credentials });
  expect(await client.putTraceSegments(['{}'])).toEqual([{ ErrorCode: 'ParseError', Id: null }]);
  server.closeAllConnections();
  expect(await received.promise).toEqual({
    path: '/TraceSegments',
    body: { TraceSegmentDocuments: ['{}'] },
  });
});
