/** Sends a request to the API, as `fetch` does. */
export type Send = (path: string, init: RequestInit) => Promise<Response>;

let sends: Send = (path, init) => fetch(path, init);

/** Sends a request to the API, in the name of who is logged in where somebody has to be. */
export const send: Send = (path, init) => sends(path, init);

/** Has all requests sent in another way from now on. */
export function sendBy(other: Send): void {
  sends = other;
}
