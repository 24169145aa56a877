import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

/**
 * Sends a first request to the API: the read of an instance that does not exist. Node.js compiles a function when it is
 * first called, so the first read takes about 50 ms and the second 5 ms. Many requests before the API has compiled its
 * code would wait, and compete with the first events for processors.
 */
export async function warmUp(apiUrl: string): Promise<void> {
  const [response] = (await once(get(`${apiUrl}/api/instances/-/-`), 'response')) as [
    IncomingMessage,
  ];
  await once(response.resume(), 'end');
}
