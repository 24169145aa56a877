/* Addresses of pages and of API resources. */

type Query = Readonly<Record<string, string | undefined>>;

/** Appends the non-empty members of a query to a path. */
export function withQuery(path: string, query: Query): string {
  const said = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return said.length === 0 ? path : `${path}?${new URLSearchParams(said)}`;
}

/** The page of an instance. */
export const instancePage = (model: string, transaction: string) =>
  `/instances/${encodeURIComponent(model)}/${encodeURIComponent(transaction)}`;

/** An instance in the API. */
export const instanceInApi = (model: string, transaction: string) =>
  `/api${instancePage(model, transaction)}`;

/** The page of a model. */
export const modelPage = (model: string) => `/models/${encodeURIComponent(model)}`;

/** The list of instances with filters. */
export const instancesPage = (query: Query) => withQuery('/instances', query);
