import { daysOfMonth } from './dollars.ts';
import { gigabyte, peerPrices, prices } from './prices.ts';
import type { Usage } from './usage.ts';

/** What another service charges for the same events, at the least. */
export interface Peer {
  readonly name: string;
  /** What is counted. */
  readonly counted: string;
  /** US dollars; null where no price is listed for so much. */
  readonly perMonth: number | null;
}

type Load = Pick<Usage, 'eventsPerMonth' | 'eventsPerInstance' | 'eventBytes' | 'daysOpen'>;
const million = 1e6;

/**
 * What others charge for the same events: the least that each could be made to take, so that what
 * is left out (the code that they run, what they read back, free tiers) is said in `docs/cost.md`.
 */
export function peersOf(load: Load): Peer[] {
  return [standard(load), express(load), temporalCloud(load), durableFunctions(load)];
}

/** An execution for each instance, which waits for a task token again and again. */
function standard({ eventsPerMonth }: Load): Peer {
  const { perMillionTransitions } = peerPrices.stepFunctions;
  return {
    name: 'Step Functions, standard',
    counted: 'a transition an event',
    perMonth: (eventsPerMonth / million) * perMillionTransitions,
  };
}

/** An execution for each event, since none lasts longer than five minutes. */
function express({ eventsPerMonth }: Load): Peer {
  const { perMillionRequests, perGigabyteSecond, leastGigabyteSeconds } =
    peerPrices.stepFunctions.express;
  return {
    name: 'Step Functions, express',
    counted: 'an execution an event; keeps no state',
    perMonth:
      (eventsPerMonth / million) * perMillionRequests +
      eventsPerMonth * leastGigabyteSeconds * perGigabyteSecond,
  };
}

/** A workflow for each instance, and a signal for each event. */
function temporalCloud({ eventsPerMonth, eventsPerInstance, eventBytes, daysOpen }: Load): Peer {
  const { perMillionActions, planShare, leastBusinessPlan, perActiveGigabyteHour } =
    peerPrices.temporalCloud;
  const millions = (eventsPerMonth + eventsPerMonth / eventsPerInstance) / million;
  // What came within the last days is in open workflows, half of it on average.
  const hours = (daysOpen / 2) * 24;
  const storage = ((eventsPerMonth * eventBytes) / gigabyte) * hours * perActiveGigabyteHour;
  const developer = (millions * perMillionActions + storage) * (1 + planShare);
  const tiered = tieredActions(millions);
  const used = tiered === null ? null : tiered + storage;
  const business = used === null ? null : used + Math.max(leastBusinessPlan, planShare * used);
  return {
    name: 'Temporal Cloud',
    counted: 'a signal an event, a start an instance, the plan',
    perMonth: business === null ? null : Math.min(developer, business),
  };
}

/** Of the plan "Business": each tier's price for what lies within it. */
function tieredActions(millions: number): number | null {
  const { tiers, businessActions } = peerPrices.temporalCloud;
  let left = Math.max(0, millions - businessActions);
  let [dollars, from] = [0, 0];
  for (const [upTo, price] of tiers) {
    const within = Math.min(left, upTo - from);
    dollars += within * price;
    left -= within;
    from = upTo;
  }
  return left > 0 ? null : dollars;
}

/** An execution for each instance, which waits for a callback again and again. */
function durableFunctions({ eventsPerMonth, eventsPerInstance, eventBytes, daysOpen }: Load): Peer {
  const { perMillionOperations, perGigabyteWritten, perGigabyteMonth, keptDays } =
    peerPrices.durableFunctions;
  const operations = eventsPerMonth + eventsPerMonth / eventsPerInstance;
  const gigabytes = (eventsPerMonth * eventBytes) / gigabyte;
  return {
    name: 'Lambda durable functions',
    counted: 'an operation an event, a start an instance, bytes',
    perMonth:
      (operations / million) * perMillionOperations +
      gigabytes * perGigabyteWritten +
      gigabytes * ((daysOpen / 2 + keptDays) / daysOfMonth) * perGigabyteMonth +
      (eventsPerMonth / million) * prices.lambda.perMillionRequests,
  };
}
