const maximumRetryDelayMs = 60_000;

/** Returns true for the statuses that a busy service returns. */
export const isBusyStatus = (status: number | undefined) => status === 429 || status === 503;

/** Returns true for the statuses that a proxy returns if it cannot reach the service. */
const isGatewayStatus = (status: number) => status === 502 || status === 504;

/** Returns the delay before the next attempt, in milliseconds, for a response without `Retry-After`. */
export const backoff = (attempt: number) => 250 * 2 ** attempt;

/**
 * Returns the delay in milliseconds before a request is sent again, or undefined if it should not be sent again.
 *
 * @param attempt the number of requests that have been sent so far.
 * @param retriesGateway true to send a request again if a proxy could not reach the service.
 */
export function delayBefore(
  attempt: number,
  { status, headers }: Response,
  retriesGateway: boolean,
): number | undefined {
  if (!isBusyStatus(status) && !(retriesGateway && isGatewayStatus(status))) return undefined;
  const asked = headers.get('retry-after');
  if (asked === null) return backoff(attempt);
  const delay = /^\d+$/.test(asked) ? Number(asked) * 1000 : Date.parse(asked) - Date.now();
  if (Number.isNaN(delay)) return backoff(attempt);
  return delay > maximumRetryDelayMs ? undefined : Math.max(delay, 0);
}
