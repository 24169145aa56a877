import type { StreamEvent } from './record-format.ts';

/** The fields that Lambda adds to an event of a mapping with a tumbling window. */
interface WindowFields {
  readonly window: { readonly start: string; readonly end: string };
  readonly state: Readonly<Record<string, never>>;
  readonly shardId: string;
  readonly eventSourceARN: string;
  readonly isFinalInvokeForWindow: boolean;
  readonly isWindowTerminatedEarly: boolean;
}

interface BatchOrigin {
  readonly shardId: string;
  readonly streamArn: string;
  /** The current time, in milliseconds since 1970. */
  readonly now: number;
}

/**
 * Adds the fields of a tumbling window to an event. Unlike in AWS, the state is always empty, and a window does not end
 * with a separate invocation. The local mapping therefore supports only functions that use tumbling windows to receive
 * the shard's id.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-windows.html
 */
export function inWindow(
  event: StreamEvent,
  { shardId, streamArn, now }: BatchOrigin,
  windowMs: number,
): StreamEvent & WindowFields {
  const start = now - (now % windowMs);
  return {
    ...event,
    window: { start: new Date(start).toISOString(), end: new Date(start + windowMs).toISOString() },
    state: {},
    shardId,
    eventSourceARN: streamArn,
    isFinalInvokeForWindow: false,
    isWindowTerminatedEarly: false,
  };
}

/** Returns true if a response contains `state`, which AWS requires of functions with a tumbling window. */
export const hasState = (response: unknown): boolean =>
  typeof (response as { state?: unknown } | null)?.state === 'object';
