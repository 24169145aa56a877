/** Reads all pages of a list of the HTTP API. @throws Error for any unsuccessful response */
export async function readPages<Item>(api: string, path: string, member: string): Promise<Item[]> {
  const items: Item[] = [];
  const query = path.includes('?') ? '&' : '?';
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const next = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await readJson<Record<string, unknown>>(`${api}${path}${query}limit=100${next}`);
    items.push(...(page?.[member] as Item[]));
    cursor = page?.cursor as string | undefined;
  }
  return items;
}

/** Reads a resource of the HTTP API; undefined if it does not exist. @throws Error for any other response */
export async function readJson<Body>(url: string): Promise<Body | undefined> {
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Body;
}
