export type { Endpoint, EndpointExit, EndpointOptions } from './endpoint.ts';
export { EndpointError, type EndpointErrorCode } from './errors.ts';
export { startDynamoDb, startKinesis } from './start.ts';
