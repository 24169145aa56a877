import type { ServiceOptions } from '../../src/aws/client/transport/service-client.ts';

/** A service of AWS that answers at some address of this machine. */
export const serviceAt = (endpoint: string): ServiceOptions => ({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
});
