import type { ServiceOptions } from '../../src/aws/client/transport/service-client.ts';

/** An AWS service with an endpoint on this machine. */
export const serviceAt = (endpoint: string): ServiceOptions => ({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});
