import { changesBetween } from '../../core/counters/counter.ts';
import { isPermanent } from '../../core/errors.ts';
import type { CounterStore } from '../count-changes.ts';
import type { Markers } from '../markers.ts';
import type { GenerationInProgress } from './counter-state.ts';
import type { RowPage, RowPageStore, RowScanner } from './row-page.ts';

export interface CountPageDependencies {
  readonly scanner: RowScanner;
  readonly pages: RowPageStore;
  readonly markers: Markers;
  readonly counters: CounterStore;
  /** Logs the error of a counter that DynamoDB permanently refuses to update. */
  readonly logLost: (error: unknown) => void;
}

/**
 * The name of the pseudo shard that represents a scan. A counter item's position in this shard is the last counted
 * page.
 */
export const scanShard = 'scan';

/**
 * Counts the next page of a rebuild. Attempts can be interrupted, repeated, and concurrent because all attempts count
 * the same stored page. Markers determine which of the page's rows the scan counts, and each counter item stores the
 * number of the last page that it has counted.
 *
 * @throws the first temporary error of a counter update. A later attempt can succeed.
 */
export async function countPage(
  { scanner, pages, markers, counters, logLost }: CountPageDependencies,
  { number: generation, pages: page, cursor }: GenerationInProgress,
): Promise<RowPage> {
  const stored = await pages.read(generation, page);
  const content = stored ?? (await storePage({ scanner, pages }, generation, page, cursor));
  const writer = `page/${page}`;
  const claimed = await markers.claim(
    generation,
    content.rows.map(({ instance, version, queueVersion, isLate }) => ({
      instance,
      version,
      queueVersion,
      isLate,
      writer,
    })),
  );
  const won = content.rows.filter(({ instance }) => claimed.get(instance)?.writer === writer);
  const changes = won.flatMap((row) => changesBetween([], row.counters));
  const failures = await counters.add(generation, scanShard, [{ sequence: String(page), changes }]);
  for (const { error } of failures) {
    if (!isPermanent(error)) throw error;
    logLost(error);
  }
  return content;
}

async function storePage(
  { scanner, pages }: Pick<CountPageDependencies, 'scanner' | 'pages'>,
  generation: number,
  page: number,
  cursor: string | undefined,
): Promise<RowPage> {
  const scanned = await scanner.scan(cursor);
  const isStored = (await pages.put(generation, page, scanned)) === 'stored';
  return isStored ? scanned : (await pages.read(generation, page))!;
}
