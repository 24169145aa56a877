export { handler } from '../../../../models/tickets/lambda.ts';
