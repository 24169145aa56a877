import { ServiceClient, type ServiceOptions } from './transport/service-client.ts';

/**
 * A segment that X-Ray rejected.
 *
 * @see https://docs.aws.amazon.com/xray/latest/api/API_UnprocessedTraceSegment.html
 */
export interface UnprocessedSegment {
  readonly ErrorCode?: string;
  readonly Message?: string;
}

/** The X-Ray operations that Milepost uses. */
export interface XRay {
  /**
   * Sends segments. X-Ray can reject some segments in a request and accept others.
   *
   * @param documents the segments, each as JSON.
   * @returns the rejected segments.
   * @see https://docs.aws.amazon.com/xray/latest/api/API_PutTraceSegments.html
   */
  putTraceSegments(documents: readonly string[]): Promise<readonly UnprocessedSegment[]>;
}

/**
 * How long a connection can be inactive, in milliseconds. The limit is low because recording traces must not delay
 * events.
 */
const socketTimeout = 1_000;

export function xray(options: ServiceOptions): XRay {
  const client = new ServiceClient(options, {
    service: 'xray',
    contentType: 'application/json',
    socketTimeout,
  });
  return {
    async putTraceSegments(documents) {
      const request = JSON.stringify({ TraceSegmentDocuments: documents });
      const { body } = await client.call('/TraceSegments', {}, request);
      const { UnprocessedTraceSegments = [] } = JSON.parse(body) as {
        UnprocessedTraceSegments?: UnprocessedSegment[];
      };
      return UnprocessedTraceSegments;
    },
  };
}
