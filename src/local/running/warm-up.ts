import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';

/** The time limit of the first request, in milliseconds. */
const limitMs = 2_000;

/**
 * Sends a first request to the API: the read of an instance that does not exist. Node.js compiles a function when it is
 * first called, so the first read takes about 50 ms and the second 5 ms. Many requests before the API has compiled its
 * code would wait, and compete with the first events for processors. If the request fails or takes longer than two
 * seconds, the start continues: users then see the failure of their own requests.
 */
export async function warmUp(apiUrl: string): Promise<void> {
  // An agent of its own ignores the proxy settings of the environment.
  const options = { agent: new Agent(), signal: AbortSignal.timeout(limitMs) };
  try {
    const request = get(`${apiUrl}/api/instances/-/-`, options);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await once(response.resume(), 'end');
  } catch {
    // Users see the failure of their own requests.
  }
}
