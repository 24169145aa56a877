import { RequestError } from './request-error.ts';

/** The result of sending a request for each of several items. */
export interface ForEachResult<Item> {
  readonly done: number;
  /** The number of items that no longer exist or whose state conflicts with the request. */
  readonly skipped: number;
  readonly failed: readonly { readonly item: Item; readonly message: string }[];
}

/** Settings for sending the requests. */
export interface ForEachOptions {
  /** The maximum number of concurrent requests. With 1, requests are sent in the order of the items. */
  readonly concurrency: number;
  /**
   * Called before each request with the number of finished items. Throws an error to stop. Requests in progress still
   * finish, and the function is then called once more so that its error contains their number.
   */
  readonly report: (finished: number, all: number) => void;
  /** Waits before a retry. Default: `setTimeout`. */
  readonly sleep?: (ms: number) => Promise<void>;
}

/** The delays before each retry of a request to a busy service, in milliseconds. */
const retryPauses = [500, 1_500, 4_500];
/** The statuses of temporary errors: too many requests, and a service that is overloaded or cannot be reached. */
const busyStatuses = [429, 503, 0];
/** The response statuses for skipped items: not found, and a conflict. */
const skippedStatuses = [404, 409];

/** Sends a request for each item. A failed request does not stop the remaining requests. */
export async function forEach<Item>(
  items: readonly Item[],
  request: (item: Item) => Promise<unknown>,
  { concurrency, report, sleep = realSleep }: ForEachOptions,
): Promise<ForEachResult<Item>> {
  const failed: { readonly item: Item; readonly message: string }[] = [];
  let [next, done, skipped] = [0, 0, 0];
  const reportFinished = () => report(done + skipped + failed.length, items.length);
  const work = async () => {
    while (next < items.length) {
      reportFinished();
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
  const workers = await Promise.allSettled(Array.from({ length: concurrency }, work));
  const stopped = workers.find(({ status }) => status === 'rejected');
  if (stopped?.status === 'rejected') {
    reportFinished();
    throw stopped.reason;
  }
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
