export { handler } from '../../../../models/session/lambda.ts';
