export type { Endpoint } from './endpoint.ts';
export { EndpointError } from '../server/endpoint-error.ts';
export { startDynamoDb, startKinesis } from './start.ts';
