/**
 * Returns the message for a request that received no complete response.
 *
 * @param base the URL of the service.
 * @param error the error that `fetch` threw.
 * @param answerWithinMs the timeout of the request, in milliseconds.
 */
export function unreachableMessage(base: string, error: unknown, answerWithinMs: number): string {
  const reason = networkReason(error, answerWithinMs);
  if (error instanceof Error && error.name === 'CredentialsProviderError')
    return `cannot sign the request: ${reason}; set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`;
  if (isPortBlocked(error))
    return `cannot reach ${base}: HTTP clients block this port; run the service on another port, such as 4500`;
  return `cannot reach ${base}: ${reason}; is the service running?`;
}

/** Returns the reason for a failed `fetch`. The error's own message is only "fetch failed", so use its cause. */
function networkReason(error: unknown, answerWithinMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no response within ${answerWithinMs / 1000} s`;
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  // OpenSSL's messages contain thread ids and the names of functions and files, so show only the reason.
  if ('code' in cause && cause.code === 'ERR_SSL_WRONG_VERSION_NUMBER')
    return 'it does not use TLS; use http instead of https';
  if ('library' in cause && 'reason' in cause) return `TLS: ${String(cause.reason)}`;
  return cause.message || ('code' in cause ? String(cause.code) : error.message);
}

/** Returns true if `fetch` sent no request because of the port. @see https://fetch.spec.whatwg.org/#port-blocking */
const isPortBlocked = (error: unknown) =>
  error instanceof Error && error.cause instanceof Error && error.cause.message === 'bad port';
