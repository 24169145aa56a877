/* Addresses: of pages, and of what the API has for them. */

type Query = Readonly<Record<string, string | undefined>>;

/** A path with those members of a query that say something. */
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

/** The list of instances, narrowed to some. */
export const instancesPage = (query: Query) => withQuery('/instances', query);
