import { randomBytes } from 'node:crypto';
import { inChunks } from '../../common/chunks.ts';
import type { DispatchOutcome } from '../../dispatcher/monitoring/metrics.ts';
import type { Span, SpanExporter } from '../../dispatcher/monitoring/span-exporter.ts';
import type { XRay } from '../client/xray.ts';

/** The maximum number of segments per request; the X-Ray daemon uses the same number. */
const segmentsOfRequest = 50;

/**
 * Records the processing of each event, from the stream to the commit, as a segment of its sender's trace. The
 * segment's parent is the span that sent the event.
 *
 * @see https://docs.aws.amazon.com/xray/latest/devguide/xray-api-segmentdocuments.html
 */
export class XRayTraces implements SpanExporter {
  readonly #client: XRay;
  readonly #failed: (error: unknown) => void;

  /** @param failed receives the error if segments could not be sent or X-Ray rejected some of them. */
  constructor(client: XRay, failed: (error: unknown) => void) {
    this.#client = client;
    this.#failed = failed;
  }

  async export(spans: readonly Span[]): Promise<void> {
    const requests = inChunks(spans.map(segment), segmentsOfRequest);
    await Promise.all(
      requests.map((documents) =>
        this.#put(documents).catch((error: unknown) => this.#failed(error)),
      ),
    );
  }

  async #put(documents: readonly string[]): Promise<void> {
    const rejected = await this.#client.putTraceSegments(documents);
    const [first] = rejected;
    if (!first) return;
    const { ErrorCode = 'no error code', Message = '' } = first;
    throw new Error(
      `X-Ray rejected ${rejected.length} of ${documents.length} segments: ${ErrorCode} ${Message}`,
    );
  }
}

/**
 * A segment's error flags. In X-Ray's terms, a parked event is a fault of the service, and a rejected event is an error
 * of its sender.
 */
const marks: Partial<Record<DispatchOutcome, object>> = {
  parked: { fault: true },
  rejected: { error: true },
};

function segment({
  trace,
  model,
  transaction,
  event,
  outcome: ending,
  startedAt: from,
  endedAt: to,
}: Span): string {
  const { traceId, parentId } = trace;
  return JSON.stringify({
    name: `Milepost/${model}`,
    id: randomBytes(8).toString('hex'),
    trace_id: `1-${traceId.slice(0, 8)}-${traceId.slice(8)}`,
    parent_id: parentId,
    start_time: from / 1_000,
    end_time: to / 1_000,
    annotations: { model, transaction, event, ending },
    ...marks[ending],
  });
}
