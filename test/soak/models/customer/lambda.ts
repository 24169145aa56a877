export { handler } from '../../../../models/customer/lambda.ts';
