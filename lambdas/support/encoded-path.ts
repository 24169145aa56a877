/** What an event of an HTTP API or a function URL says of its path. */
interface PathEvent {
  readonly rawPath: string;
  readonly requestContext: { readonly http: { readonly path: string } };
}

/**
 * The event with its path URL-encoded, as it was on the wire. A function URL
 * hands it on so; an HTTP API hands it on decoded, and then the path and the
 * decoded path of the event are the same.
 */
export function withEncodedPath<Event extends PathEvent>(event: Event): Event {
  if (event.rawPath !== event.requestContext.http.path) return event;
  return { ...event, rawPath: event.rawPath.split('/').map(encodeURIComponent).join('/') };
}
