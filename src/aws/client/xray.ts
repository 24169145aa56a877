import { ServiceClient, type ServiceOptions } from './transport/service-client.ts';

/** What of X-Ray is used. */
export interface XRay {
  /**
   * @param documents segments, in JSON.
   * @see https://docs.aws.amazon.com/xray/latest/api/API_PutTraceSegments.html
   */
  putTraceSegments(documents: readonly string[]): Promise<void>;
}

/** A trace is not worth a long wait. In milliseconds. */
const socketTimeout = 1_000;

/** X-Ray. */
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
