/* Addresses of pages and of API resources. */

type Query = Readonly<Record<string, string | undefined>>;

/** Appends the non-empty members of a query to a path. */
export function withQuery(path: string, query: Query): string {
  const said = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return said.length === 0 ? path : `${path}?${new URLSearchParams(said)}`;
}

/** Returns the address of an instance's page. */
export const instancePage = (model: string, transaction: string) =>
  `/instances/${encodeURIComponent(model)}/${encodeURIComponent(transaction)}`;

/** Returns the path of an instance in the API. */
export const instanceInApi = (model: string, transaction: string) =>
  `/api${instancePage(model, transaction)}`;

/** Returns the address of a model's page. */
export const modelPage = (model: string) => `/models/${encodeURIComponent(model)}`;

/** Returns the address of the page with a filtered list of instances. */
export const instancesPage = (query: Query) => withQuery('/instances', query);
