/** Sends a request to the API, like `fetch`. */
export type Send = (path: string, init: RequestInit) => Promise<Response>;

let sends: Send = (path, init) => fetch(path, init);

/** Sends a request to the API, with the user's token if the service requires a login. */
export const send: Send = (path, init) => sends(path, init);

/** Replaces the function that sends requests, to add the user's token. */
export function sendBy(other: Send): void {
  sends = other;
}
