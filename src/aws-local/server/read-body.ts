import type { IncomingMessage } from 'node:http';

/**
 * Reads the complete body of a request, but keeps only slightly more than `limit` so that a body that is too large
 * does not fill the memory. The result exceeds the limit if and only if the body does.
 *
 * @param limit the maximum size of the body, in bytes.
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (length <= limit) chunks.push(chunk);
    length += chunk.length;
  }
  return Buffer.concat(chunks);
}
