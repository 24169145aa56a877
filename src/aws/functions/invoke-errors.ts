import { parseJson } from '../../core/json/parse-json.ts';
import { ServiceError } from '../client/transport/service-error.ts';

// The errors that a retry cannot fix. All other Lambda errors, such as throttling, an outage, or a role that is not
// ready, are temporary.
const permanentErrors = new Set([
  'ResourceNotFoundException',
  'InvalidRuntimeException',
  'InvalidZipFileException',
]);

/** Returns true if the same invocation would fail again. */
export const isPermanentInvokeError = (error: unknown): boolean =>
  error instanceof ServiceError && permanentErrors.has(error.name);

/**
 * Returns true if Lambda rejected an invocation because its payload is too large. The API reference calls the error
 * `RequestTooLargeException`; Lambda returns `RequestEntityTooLargeException`. Both errors have status 413.
 *
 * @see https://github.com/awslabs/aws-athena-query-federation/issues/693
 */
export const isPayloadTooLarge = (error: unknown): boolean =>
  error instanceof ServiceError && error.status === 413;

/** Parses the payload of a function error. */
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

/** Parses JSON. Returns undefined if the text is not valid JSON. */
export function parseJsonOrUndefined(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
