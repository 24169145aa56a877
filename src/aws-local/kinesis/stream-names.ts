import type { BufferedResponse } from '../endpoints/buffered-request.ts';
import { errorResponse } from './error-response.ts';
import type { Ask } from './iterator-at-timestamp.ts';

/**
 * Rejects `CreateStream` if the name is a property of arrays, such as `filter`. kinesalite stores the databases of
 * streams in properties of an array, so the first record of such a stream would crash the process.
 *
 * @returns undefined for any other name so that kinesalite can respond.
 */
export async function rejectStreamName(
  _: Ask,
  { StreamName: name }: { readonly StreamName?: unknown },
): Promise<BufferedResponse | undefined> {
  if (typeof name !== 'string' || !(name in [])) return undefined;
  const message = `The local endpoint cannot create a stream with the name ${name}; use another name.`;
  return errorResponse('InvalidArgumentException', message);
}
