import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';

/** The timeout of the request, in milliseconds. */
const limitMs = 2_000;

/**
 * Warms up the API with a request for an instance that does not exist. Node.js compiles a function when it is first
 * called, so the first read takes about 50 ms and the second 5 ms. Without this request, a burst of early requests
 * would wait for the compilation and compete with the first events for processors. If the request fails or takes longer
 * than two seconds, startup continues. If the API is broken, users see the error in their own requests.
 */
export async function warmUp(apiUrl: string): Promise<void> {
  // A separate agent ignores the proxy settings of the environment.
  const options = { agent: new Agent(), signal: AbortSignal.timeout(limitMs) };
  try {
    const request = get(`${apiUrl}/api/instances/-/-`, options);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await once(response.resume(), 'end');
  } catch {
    // Ignore the error: if it persists, users see it in their own requests.
  }
}
