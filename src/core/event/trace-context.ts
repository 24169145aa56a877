/** The position of an event's sender in a distributed trace. */
export interface TraceContext {
  /** The id of the trace: 32 hexadecimal digits. */
  readonly traceId: string;
  /** The id of the span that sent the event: 16 hexadecimal digits. */
  readonly parentId: string;
}

// Later versions of the specification can only append fields.
const pattern =
  /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-|$)/;
const sampledFlag = 1;

/**
 * Parses an event's `traceparent` attribute. An event with an invalid attribute is not rejected.
 *
 * @returns undefined if the attribute is missing or invalid, or if the sender does not sample the trace.
 * @see https://www.w3.org/TR/trace-context/#traceparent-header
 * @see https://github.com/cloudevents/spec/blob/main/cloudevents/extensions/distributed-tracing.md
 */
export function sampledTrace(traceparent: unknown): TraceContext | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, traceId, parentId, flags = '0'] = pattern.exec(traceparent) ?? [];
  if (!traceId || !parentId || (Number.parseInt(flags, 16) & sampledFlag) === 0) return undefined;
  return { traceId, parentId };
}
