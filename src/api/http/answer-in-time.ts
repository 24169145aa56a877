import type { MiddlewareHandler } from 'hono';
import { Deadline } from '../../common/deadline.ts';
import type { ApiDependencies } from '../api-dependencies.ts';
import { Problem } from './problem.ts';

/**
 * Responds with a 503 problem to a request that takes too long, for example because AWS is slow or a model's function
 * has a long timeout. Otherwise, the API's function would time out, and API Gateway would respond with neither a
 * problem nor `Retry-After`. The work continues in the background and is safe to repeat.
 *
 * @param maximumTime the maximum time until a response, in milliseconds.
 */
export function answerInTime(
  { clock, logError }: Pick<ApiDependencies, 'clock' | 'logError'>,
  maximumTime: number,
): MiddlewareHandler {
  return async (_, next) => {
    const answer = await Deadline.in(clock, maximumTime).race(next());
    if (answer !== 'late') return;
    const problem = new Problem(
      503,
      `the service could not respond within ${maximumTime / 1_000} seconds; try again`,
    );
    logError(problem);
    throw problem;
  };
}
