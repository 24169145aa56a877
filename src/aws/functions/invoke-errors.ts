import { parseJson } from '../../core/json/parse-json.ts';
import { ServiceError } from '../client/transport/service-error.ts';

// What says that this very call cannot go well, however often it is made: everything else that
// Lambda refuses (throttling, a role that is not ready, an outage) passes with time.
const permanentErrors = new Set([
  'ResourceNotFoundException',
  'InvalidRuntimeException',
  'InvalidZipFileException',
]);

/** Whether an invoke that was refused would be refused again. */
export const isPermanentInvokeError = (error: unknown): boolean =>
  error instanceof ServiceError && permanentErrors.has(error.name);

/**
 * Whether Lambda refused an invocation because of its size. The API reference calls the error
 * `RequestTooLargeException`; Lambda answers `RequestEntityTooLargeException`. Both have status 413.
 *
 * @see https://github.com/awslabs/aws-athena-query-federation/issues/693
 */
export const isPayloadTooLarge = (error: unknown): boolean =>
  error instanceof ServiceError && error.status === 413;

/** What a function failed by, as the payload of a function error has it. */
export function parseFunctionError(payload: string): { errorType: string; errorMessage: string } {
  const failure = parseJsonOrUndefined(payload) as
    | { errorType?: string; errorMessage?: string }
    | null
    | undefined;
  return {
    errorType: failure?.errorType ?? '',
    errorMessage: failure?.errorMessage ?? payload.slice(0, 200),
  };
}

/** What JSON says; undefined for what is none. */
export function parseJsonOrUndefined(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
