import type { ServiceOptions } from '../../../src/aws/client/transport/service-client.ts';

/** Returns the client options for an AWS service that a local endpoint emulates. */
export const serviceAt = (endpoint: string): ServiceOptions => ({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});
