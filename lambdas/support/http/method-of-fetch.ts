import { toFetchMethod } from '../../../src/api/http/fetch-method.ts';

/** The method in an event of an HTTP API or a function URL. */
interface MethodEvent {
  readonly requestContext: { readonly http: { readonly method: string } };
}

/** Replaces the method of an event with one that a Fetch `Request` allows: see `toFetchMethod`. */
export function withMethodOfFetch<Event extends MethodEvent>(event: Event): Event {
  const { requestContext } = event;
  const http = { ...requestContext.http, method: toFetchMethod(requestContext.http.method) };
  return { ...event, requestContext: { ...requestContext, http } };
}
