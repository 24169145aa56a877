export { EndpointError } from '../server/endpoint-error.ts';
export type { Endpoint } from './endpoint.ts';
export { startDynamoDb, startKinesis } from './start.ts';
