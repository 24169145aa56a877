import { Chance } from '../../src/common/chance.ts';
import { defaultSeenLimits, type SeenLimits } from '../../src/core/history/seen-runs.ts';
import { Outages } from './outages.ts';
import { hasNoFault, type Sabotage } from './sabotage.ts';

/** A problem with one instance that could affect its neighbors, in a run without other failures. */
export type Nuisance =
  /** Thousands of events for the instance arrive at the same time. */
  | 'flood'
  /** One producer sends thousands of events of many instances with a single partition key. */
  | 'producer'
  /** The code of the model never returns on some events of the instance. */
  | 'blocks'
  /** The model fails on the first event of the instance, and hundreds of events wait behind it. */
  | 'throws'
  /** DynamoDB throttles the partition of the instance for hours. */
  | 'starved';

/** The conditions of a run in addition to random failures. */
export interface Scenario {
  /** Whether functions and clients have timeouts, and functions are frozen between invocations. */
  readonly timed: boolean;
  readonly outages: Outages;
  /** The timeout of the models' functions, in milliseconds. */
  readonly modelTimeout: number;
  /** The probability that a response lacks its results. */
  readonly hollow: number;
  /** Whether a page of parked events exceeds the payload limit of an invocation. */
  readonly bulky: boolean;
  readonly nuisance: Nuisance | undefined;
  /** Whether the models have personal data, which is sealed with data keys that KMS encrypts. */
  readonly sealed: boolean;
  /** Whether an operator erases the personal data of instances. */
  readonly erasing: boolean;
  /** Whether messages of a queue also run the clock. A message can arrive early, late, repeatedly, or never. */
  readonly queue: boolean;
  /** The age of the data that eventually consistent reads can return, in milliseconds; 0 if it is never old. */
  readonly replicaLagMs: number;
  /** The age of producers' records when the stream delivers them for the first time, in milliseconds. */
  readonly backlogMs: number;
  /** The limits of seen events, which are often so low that instances have runs of several levels. */
  readonly seenLimits: SeenLimits;
}

const nuisances: readonly Nuisance[] = ['flood', 'producer', 'blocks', 'throws', 'starved'];
const second = 1_000;
const hour = 3_600 * second;

const lowLimits: readonly SeenLimits[] = [
  { recent: 3, fanout: 2 },
  { recent: 10, fanout: 3 },
];

/** Draws a run's scenario from separate random numbers so that the other random numbers stay the same. */
export function scenarioOf(seed: number, sabotage: Sabotage, start: number): Scenario {
  const chance = new Chance(seed + 1_000_000_007);
  const isIntact = hasNoFault(sabotage);
  const wanted = sabotage.scenario ?? {};
  const drawn = Outages.draw(chance, start, wanted.outages);
  const nuisance = isIntact && seed % 20 === 7 ? chance.pick(nuisances) : wanted.nuisance;
  const drawnTimeout = chance.pick([10, 10, 30, 120]) * second;
  const modelTimeout = wanted.modelTimeout ?? drawnTimeout;
  const hollow = isIntact ? chance.pick([0, 0, 0.05]) : 0;
  const isSealed = (isIntact && chance.happens(0.3)) || wanted.sealed === true;
  const hasOutages = (isIntact && seed % 4 === 2) || wanted.outages !== undefined;
  return {
    timed: isIntact || sabotage.scenario !== undefined,
    outages: hasOutages && !nuisance ? drawn : Outages.none,
    modelTimeout,
    hollow,
    bulky: (isIntact && seed % 50 === 13) || wanted.bulky === true,
    nuisance,
    sealed: isSealed,
    erasing: (isIntact && isSealed && !nuisance && seed % 2 === 0) || wanted.erasing === true,
    queue: (isIntact && seed % 3 === 1 && !nuisance) || wanted.queue === true,
    seenLimits:
      isIntact && chance.happens(0.7)
        ? chance.pick(lowLimits)
        : (wanted.seenLimits ?? defaultSeenLimits),
    replicaLagMs:
      wanted.replicaLagMs ?? (isIntact && !nuisance ? chance.pick([0, 5, 100, 1_000]) : 0),
    backlogMs:
      wanted.backlogMs ?? (isIntact && !nuisance ? chance.pick([0, 0, 3 * hour, 13 * hour]) : 0),
  };
}
