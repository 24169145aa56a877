import type { Context } from 'hono';
import { isBusy } from '../../core/errors.ts';
import { fromFetchMethod } from './fetch-method.ts';
import { Problem, problemAnswer } from './problem.ts';

/** Makes answers of what routes throw; what went wrong on our side is told to `logError`. */
export function answerError(logError: (error: unknown) => void) {
  return (error: unknown, context: Context): Response => {
    if (error instanceof Problem) return problemAnswer(context, error);
    logError(error);
    if (isBusy(error))
      return problemAnswer(context, new Problem(503, 'too much is asked just now: try again'));
    return problemAnswer(
      context,
      new Problem(500, 'the request failed on our side; the log of the service says why'),
    );
  };
}

/** The answer where an app has nothing. */
export const answerNotFound = (context: Context): Response =>
  problemAnswer(
    context,
    new Problem(
      404,
      `there is nothing at ${fromFetchMethod(context.req.method)} ${context.req.path}`,
    ),
  );
