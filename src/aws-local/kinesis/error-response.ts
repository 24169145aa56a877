import type { BufferedResponse } from '../endpoints/buffered-request.ts';

/** Returns an error response in Kinesis's format. */
export const errorResponse = (__type: string, message: string): BufferedResponse => ({
  status: 400,
  headers: {},
  body: JSON.stringify({ __type, message }),
});
