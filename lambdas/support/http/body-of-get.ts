/** The method and the body in an event of an HTTP API or a function URL. */
interface BodyEvent {
  readonly body?: string | null;
  readonly requestContext: { readonly http: { readonly method: string } };
}

/**
 * Removes the body of a GET or HEAD request. Such a body has no defined meaning (RFC 9110, section 9.3.1), and a Fetch
 * `Request` does not allow one.
 */
export function withoutBodyOfGet<Event extends BodyEvent>(event: Event): Event {
  const { method } = event.requestContext.http;
  if (!event.body || (method !== 'GET' && method !== 'HEAD')) return event;
  const { body: _, ...rest } = event;
  return rest as Event;
}
