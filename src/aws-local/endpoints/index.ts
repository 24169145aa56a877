export type { Endpoint } from './endpoint.ts';
export { EndpointError } from './errors.ts';
export { startDynamoDb, startKinesis } from './start.ts';
