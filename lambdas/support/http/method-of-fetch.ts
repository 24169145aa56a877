import { toFetchMethod } from '../../../src/api/http/fetch-method.ts';

/** What an event of an HTTP API or a function URL says of its method. */
interface MethodEvent {
  readonly requestContext: { readonly http: { readonly method: string } };
}

/** The event with a method that a `Request` of Fetch can have: see `toFetchMethod`. */
export function withMethodOfFetch<Event extends MethodEvent>(event: Event): Event {
  const { requestContext } = event;
  const http = { ...requestContext.http, method: toFetchMethod(requestContext.http.method) };
  return { ...event, requestContext: { ...requestContext, http } };
}
