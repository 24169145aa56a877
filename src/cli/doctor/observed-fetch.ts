/** The properties of a response that show the state of the connection. */
export interface ObservedResponse {
  /** The service's clock minus this machine's clock, in milliseconds; undefined if there is no `Date` header. */
  readonly clockDifference: number | undefined;
  /** How long the service took to start responding, in milliseconds. */
  readonly duration: number;
}

/** Creates a `fetch` that calls `observe` with the properties of each response. */
export function observedFetch(
  fetch: typeof globalThis.fetch,
  observe: (response: ObservedResponse) => void,
): typeof globalThis.fetch {
  return async (input, init) => {
    const sent = Date.now();
    const response = await fetch(input, init);
    const received = Date.now();
    observe({
      clockDifference: difference(response.headers.get('date'), (sent + received) / 2),
      duration: received - sent,
    });
    return response;
  };
}

function difference(date: string | null, now: number): number | undefined {
  // The header omits fractions of a second (RFC 9110, section 5.6.7), so add half a second.
  const time = Date.parse(date ?? '') + 500 - now;
  return Number.isNaN(time) ? undefined : time;
}
