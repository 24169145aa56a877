export { handler } from '../../../../models/service-request/lambda.ts';
