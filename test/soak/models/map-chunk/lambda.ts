export { handler } from '../../../../models/map-chunk/lambda.ts';
