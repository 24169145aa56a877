import { Chance } from '../../common/chance.ts';
import { type DemoEvent, type DemoRecord, recordOf } from './demo-record.ts';
import { mishaps } from './mishaps.ts';
import { day, hour, type Period } from './period.ts';
import { activations } from './stories/activations.ts';
import { jobs } from './stories/jobs.ts';
import { newDevices } from './stories/new-devices.ts';
import { serviceRequests } from './stories/service-requests.ts';
import { sessions } from './stories/sessions.ts';
import { ticketSales } from './stories/ticket-sales.ts';
import { warrantyClaims } from './stories/warranty-claims.ts';

/** Demo data for the past 30 days and the coming hour. */
export interface DemoData {
  /** The records from the past 30 days. An instance's records are consecutive and in order of time. */
  readonly past: readonly DemoRecord[];
  /** The records for the coming hour, in order of time. */
  readonly coming: readonly DemoRecord[];
}

/** The fraction of events that are sent twice. */
const sentTwice = 0.01;

/**
 * Generates events for the past 30 days and the coming hour, for the shipped models and the demo's own models.
 *
 * @param seed the seed; the same seed and time always produce the same data.
 * @param now the current time, in milliseconds since 1970.
 */
export function demoData(seed: number, now: number): DemoData {
  const period: Period = { start: now - 30 * day, now, end: now + hour };
  const generators = [
    serviceRequests,
    activations,
    ticketSales,
    sessions,
    jobs,
    newDevices,
    warrantyClaims,
  ];
  // Each generator has a separate source of random values so that changing a generator does not affect the other
  // generators.
  const stories = generators.flatMap((generate, index) =>
    generate(new Chance(seed + index), period),
  );
  const chance = new Chance(seed + generators.length);
  const recorded = [
    ...stories.map((story) => records(chance, story)),
    ...mishaps(chance, period).map((record) => [record]),
  ];
  const isPast = ({ at }: DemoRecord) => at <= now;
  const latest = (story: readonly DemoRecord[]) => story.at(-1)!.at;
  return {
    // Sort the instances by their latest change, as in lists. Keep an instance's events together: its timers are
    // already due, so they could fire between its events.
    past: recorded
      .map((story) => story.filter(isPast))
      .filter((story) => story.length > 0)
      .toSorted((a, b) => latest(a) - latest(b))
      .flat(),
    coming: recorded
      .flat()
      .filter((record) => !isPast(record) && record.at < period.end)
      .toSorted((a, b) => a.at - b.at),
  };
}

function records(chance: Chance, story: readonly DemoEvent[]): DemoRecord[] {
  return story.flatMap((event, index) => {
    const record = recordOf(event, `${event.transaction}/${index + 1}`);
    return chance.happens(sentTwice) ? [record, record] : [record];
  });
}
