export { handler } from '../../../../models/activation/lambda.ts';
