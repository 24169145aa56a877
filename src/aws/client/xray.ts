import { ServiceClient, type ServiceOptions } from './transport/service-client.ts';

/** The part of X-Ray that Milepost uses. */
export interface XRay {
  /**
   * Sends segments.
   *
   * @param documents the segments, each as JSON.
   * @see https://docs.aws.amazon.com/xray/latest/api/API_PutTraceSegments.html
   */
  putTraceSegments(documents: readonly string[]): Promise<void>;
}

/**
 * The maximum inactivity of a connection, in milliseconds. It is short, because recording traces must not delay events.
 */
const socketTimeout = 1_000;

export function xray(options: ServiceOptions): XRay {
  const client = new ServiceClient(options, {
    service: 'xray',
    contentType: 'application/json',
    socketTimeout: socketTimeout,
  });
  return {
    async putTraceSegments(documents) {
      await client.call('/TraceSegments', {}, JSON.stringify({ TraceSegmentDocuments: documents }));
    },
  };
}
