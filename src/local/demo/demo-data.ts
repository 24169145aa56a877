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

/** A month of demo data. */
export interface DemoData {
  /** The records of the past month. The records of an instance follow one another in the order of their times. */
  readonly past: readonly DemoRecord[];
  /** The records of the coming hour, in the order of their times. */
  readonly coming: readonly DemoRecord[];
}

/** The share of events that their system sends twice. */
const sentTwice = 0.01;

/**
 * Generates the events of a month and of the coming hour for the shipped models and those of the demo.
 *
 * @param seed the same seed and time result in the same data.
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
  // Each generator has its own source of random values, so that a change of one does not change the others.
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
    // Lists show the latest change first. Events of one instance are not separated: its timers are already due.
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
