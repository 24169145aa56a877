/** What an event of an HTTP API or a function URL says of its method and body. */
interface BodyEvent {
  readonly body?: string | null;
  readonly requestContext: { readonly http: { readonly method: string } };
}

/**
 * The event without the body of a GET or HEAD: it has no meaning there
 * (RFC 9110, section 9.3.1), and a `Request` of Fetch cannot have one.
 */
export function withoutBodyOfGet<Event extends BodyEvent>(event: Event): Event {
  const { method } = event.requestContext.http;
  if (!event.body || (method !== 'GET' && method !== 'HEAD')) return event;
  const { body: _, ...rest } = event;
  return rest as Event;
}
