import type { Clock } from '../../common/clock.ts';
import { clockTolerance, maximumRebuildDuration } from '../generations.ts';
import { type CountPageDependencies, countPage } from './count-page.ts';
import type {
  CounterState,
  CounterStateStore,
  GenerationInProgress,
  StoredCounterState,
} from './counter-state.ts';
import type { ObsoleteCounters } from './row-page.ts';

export interface RebuildCountersDependencies extends CountPageDependencies {
  readonly states: CounterStateStore;
  readonly obsolete: ObsoleteCounters;
  readonly clock: Clock;
}

export interface RebuildProgress {
  /**
   * `waiting`: the scan has not begun; `counting`: the scan is running; `deleting`: the new counters are in use, and
   * the earlier counters are being deleted; `done`: the rebuild is complete.
   */
  readonly step: 'waiting' | 'counting' | 'deleting' | 'done';
  /** The number of rows that the scan has read. */
  readonly rows: number;
}

/**
 * Continues the rebuild of all counters, or starts a new rebuild. Each step is stored before the next step begins, and
 * repeating a step has no further effect, so a rebuild can be interrupted and continued at any time.
 *
 * @param deadline when to stop, in milliseconds since 1970.
 */
export async function rebuildCounters(
  dependencies: RebuildCountersDependencies,
  deadline: number,
): Promise<RebuildProgress> {
  const { states, clock } = dependencies;
  for (let progress: RebuildProgress | undefined; ; ) {
    const stored = await states.read();
    const { next, deleting } = stored.state;
    const isExpired = next && clock.now() > next.rebuild.from + maximumRebuildDuration;
    if (progress && !next && !deleting) return { ...progress, step: 'done' };
    if (progress && clock.now() >= deadline) return progress;
    if (deleting) {
      progress = { step: 'deleting', rows: deleting.rows };
      await deletePage(dependencies, stored);
    } else if (!next || isExpired) {
      progress = { step: 'waiting', rows: 0 };
      await states.write(
        { ...stored.state, next: nextGeneration(stored.state, clock.now()) },
        stored,
      );
    } else if (clock.now() < next.rebuild.from + clockTolerance) {
      progress = { step: 'waiting', rows: 0 };
      const begin = next.rebuild.from + clockTolerance;
      await clock.sleep(Math.min(begin, deadline) - clock.now());
    } else {
      const rows = next.rows + (await countNextPage(dependencies, stored, next));
      progress = { step: 'counting', rows };
    }
  }
}

/**
 * Returns the generation of a new rebuild. The counter function counts changes in this generation before the scan reads
 * the first row. Numbers are never reused because older invocations can still update the counters of an expired
 * rebuild.
 */
const nextGeneration = ({ current, next }: CounterState, now: number): GenerationInProgress => ({
  number: Math.max(current.number, next?.number ?? 0) + 1,
  rebuild: { from: now + clockTolerance },
  pages: 0,
  rows: 0,
});

/** Counts a page and puts the generation into use after the last page. Returns the number of rows on the page. */
async function countNextPage(
  dependencies: RebuildCountersDependencies,
  stored: StoredCounterState,
  next: GenerationInProgress,
): Promise<number> {
  const { states, clock } = dependencies;
  const { rows, cursor } = await countPage(dependencies, next);
  const { number, rebuild } = next;
  const counted = next.rows + rows.length;
  const complete = {
    current: { number, rebuild: { ...rebuild, until: clock.now() + clockTolerance } },
    deleting: { rows: counted },
  };
  const following = { number, rebuild, pages: next.pages + 1, rows: counted, cursor };
  await states.write(
    cursor === undefined ? complete : { ...stored.state, next: following },
    stored,
  );
  return rows.length;
}

/** Deletes a page of the earlier generations. */
async function deletePage(
  { states, obsolete }: RebuildCountersDependencies,
  stored: StoredCounterState,
): Promise<void> {
  const { current, deleting } = stored.state;
  const cursor = await obsolete.deletePage(current.number, deleting!.cursor);
  const left = { current, deleting: { ...deleting!, cursor } };
  await states.write(cursor === undefined ? { current } : left, stored);
}
