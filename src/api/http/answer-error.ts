import type { Context } from 'hono';
import { isOutage, isRetryable } from '../../core/errors.ts';
import { fromFetchMethod } from './fetch-method.ts';
import { Problem, problemAnswer } from './problem.ts';

/**
 * Creates the handler for errors that routes throw. It converts an error to a response, and logs the error
 * unless it is a `Problem`.
 */
export function answerError(logError: (error: unknown) => void) {
  return (error: unknown, context: Context): Response => {
    if (error instanceof Problem) return problemAnswer(context, error);
    logError(error);
    if (isRetryable(error))
      return problemAnswer(
        context,
        new Problem(503, 'the service is overloaded; try again in 1 second'),
      );
    if (isOutage(error))
      return problemAnswer(
        context,
        new Problem(
          503,
          'a service that Milepost depends on is unavailable; try again in 1 second',
        ),
      );
    return problemAnswer(
      context,
      new Problem(
        500,
        'the service failed to handle the request; see the log of the service for the cause',
      ),
    );
  };
}

/** Responds to a request for a path that has no route. */
export const answerNotFound = (context: Context): Response =>
  problemAnswer(
    context,
    new Problem(
      404,
      `there is no route for ${fromFetchMethod(context.req.method)} ${context.req.path}`,
    ),
  );
