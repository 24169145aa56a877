import { RequestError } from './request-json.ts';

/** The result of a request for each of several items. */
export interface ForEachResult<Item> {
  readonly done: number;
  /** The items that no longer exist or that the request does not apply to. */
  readonly skipped: number;
  readonly failed: readonly { readonly item: Item; readonly message: string }[];
}

/** Settings of the requests. */
export interface ForEachOptions {
  /** The number of requests at the same time; 1 keeps the order of the items. */
  readonly concurrency: number;
  /** Called before each request with the number of items that are finished. Throws to stop; running requests finish. */
  readonly report: (finished: number, all: number) => void;
  /** Waits before a repetition; default: real time. */
  readonly sleep?: (ms: number) => Promise<void>;
}

/** The pauses before a request to a busy service is repeated, in milliseconds. */
const retryPauses = [500, 1_500, 4_500];
/** Too many requests, and a service that is overloaded or out of reach. */
const busyStatuses = [429, 503, 0];
/** Not found, and a conflict: the request does not apply to the item. */
const skippedStatuses = [404, 409];

/** Sends a request for each item. A failed request does not prevent the others. */
export async function forEach<Item>(
  items: readonly Item[],
  request: (item: Item) => Promise<unknown>,
  { concurrency, report, sleep = realSleep }: ForEachOptions,
): Promise<ForEachResult<Item>> {
  const failed: { readonly item: Item; readonly message: string }[] = [];
  let [next, done, skipped] = [0, 0, 0];
  const work = async () => {
    while (next < items.length) {
      report(done + skipped + failed.length, items.length);
      const item = items[next++]!;
      try {
        await withRetries(() => request(item), sleep);
        done += 1;
      } catch (error) {
        if (error instanceof RequestError && skippedStatuses.includes(error.status)) skipped += 1;
        else failed.push({ item, message: error instanceof Error ? error.message : String(error) });
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return { done, skipped, failed };
}

async function withRetries(
  request: () => Promise<unknown>,
  sleep: (ms: number) => Promise<void>,
): Promise<void> {
  for (const pause of retryPauses) {
    try {
      await request();
      return;
    } catch (error) {
      if (!(error instanceof RequestError && busyStatuses.includes(error.status))) throw error;
      await sleep(pause);
    }
  }
  await request();
}

const realSleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
