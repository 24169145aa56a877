export { handler } from '../../../../models/map-reduce/lambda.ts';
