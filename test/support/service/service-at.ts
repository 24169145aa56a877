import type { ServiceOptions } from '../../../src/aws/client/transport/service-client.ts';

/** The options of an AWS service at an address of this machine. */
export const serviceAt = (endpoint: string): ServiceOptions => ({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});
