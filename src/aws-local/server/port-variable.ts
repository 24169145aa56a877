import { EndpointError } from '../endpoints/index.ts';
import { StartError } from './start-error.ts';

/**
 * Waits for a server that is starting on a port that users can set in an environment variable.
 *
 * @throws StartError with the name of the variable if the port cannot be used.
 */
export async function withPortVariable<Server>(
  variable: string,
  starting: Promise<Server>,
): Promise<Server> {
  try {
    return await starting;
  } catch (error) {
    if (!isPortError(error)) throw error;
    const message = `${error.message}; set ${variable} to another port, or to 0 for a free one`;
    throw new StartError(message, { cause: error });
  }
}

const isPortError = (error: unknown): error is Error =>
  error instanceof StartError || (error instanceof EndpointError && error.code === 'port-in-use');
