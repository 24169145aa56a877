import { type Clock, systemClock } from '../../common/clock.ts';
import { demoData } from './demo-data.ts';
import type { DemoRecord } from './demo-record.ts';

/** The dependencies of the demo. */
export interface DemoStage {
  /** Puts up to 500 records on the stream, in order. */
  readonly put: (records: readonly DemoRecord[]) => Promise<void>;
  readonly log: (line: string) => void;
  /** Ends the demo when aborted. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

/** The maximum number of records per call to `put`, which is the limit of PutRecords. */
const perCall = 500;

const seed = 1;

/**
 * Puts the demo data from the past 30 days on the stream, and then each event of the coming hour at its time.
 *
 * @throws Error if the stream rejects records.
 */
export async function playDemo({
  put,
  log,
  signal,
  clock = systemClock,
}: DemoStage): Promise<void> {
  const { past, coming } = demoData(seed, clock.now());
  log(
    `Demo: sending ${past.length.toLocaleString('en')} events from the last 30 days, some of them faulty…`,
  );
  for (let sent = 0; sent < past.length && !signal.aborted; sent += perCall)
    await put(past.slice(sent, sent + perCall));
  if (signal.aborted) return;
  log('Demo: sent. For the next hour, more events arrive in real time.');
  for (const record of coming) {
    await clock.sleep(Math.max(0, record.at - clock.now()), signal);
    if (signal.aborted) return;
    await put([record]);
  }
  log('Demo: the hour is over, so no more events are sent.');
}
