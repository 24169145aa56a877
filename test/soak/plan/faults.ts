import type { Chance } from '../../../src/common/chance.ts';
import type { Slowness } from '../service/slow-proxy.ts';

/** A fault, or an action of an operator, at a time in milliseconds since the start. */
export type Fault = { readonly at: number } & (
  | { readonly kind: 'kill'; readonly victim: Victim; readonly which: number }
  | { readonly kind: 'restart' }
  | { readonly kind: 'split' | 'merge'; readonly which: number }
  | {
      readonly kind: 'slow';
      readonly endpoint: 'DYNAMODB' | 'KINESIS' | 'LAMBDA';
      readonly slowness: Slowness;
      readonly ms: number;
    }
  | { readonly kind: 'clock'; readonly offsetMs: number }
  | { readonly kind: 'full-disk'; readonly spareBytes: number; readonly ms: number }
  | { readonly kind: 'repair'; readonly wave: number }
);

/** The process to kill: the service itself, an endpoint, or a function's process. */
export type Victim = 'service' | 'dynalite-process' | 'kinesalite-process' | 'environment-runtime';

/**
 * The maximum error of clocks in milliseconds. It is so small that Milepost does not discard records because of their
 * age.
 */
export const maximumOffsetMs = 25 * 60_000;
const meanIntervalMs = 7_000;

type Kind =
  | 'kill-service'
  | 'kill-endpoint'
  | 'kill-function'
  | Exclude<Fault['kind'], 'kill' | 'repair'>;
/** The kinds of faults, which are drawn without replacement so that even a short run has most kinds. */
const bag: readonly Kind[] = [
  ...Array<Kind>(2).fill('kill-service'),
  ...Array<Kind>(3).fill('kill-endpoint'),
  ...Array<Kind>(4).fill('kill-function'),
  ...(['restart', 'split', 'split', 'split', 'merge', 'merge'] as const),
  ...Array<Kind>(4).fill('slow'),
  ...Array<Kind>(4).fill('clock'),
  ...Array<Kind>(2).fill('full-disk'),
];

/** Returns the faults of a run in order, and the repairs of all waves except the last. */
export function planFaults(chance: Chance, durationMs: number, waves: number): Fault[] {
  const faults: Fault[] = [];
  let left: Kind[] = [];
  for (
    let at = 3_000;
    at < durationMs;
    at += chance.whole(meanIntervalMs / 2, 1.5 * meanIntervalMs)
  ) {
    if (left.length === 0) left = chance.shuffled(bag);
    faults.push(faultOf(chance, left.pop()!, at));
  }
  for (let wave = 1; wave < waves; wave++)
    faults.push({ kind: 'repair', wave, at: (wave * durationMs) / waves });
  return faults.toSorted((a, b) => a.at - b.at);
}

function faultOf(chance: Chance, kind: Kind, at: number): Fault {
  const which = chance.whole(0, 1_000);
  switch (kind) {
    case 'kill-service':
      return { at, kind: 'kill', victim: 'service', which };
    case 'kill-endpoint': {
      const victim = chance.pick(['dynalite-process', 'kinesalite-process'] as const);
      return { at, kind: 'kill', victim, which };
    }
    case 'kill-function':
      return { at, kind: 'kill', victim: 'environment-runtime', which };
    case 'restart':
      return { at, kind };
    case 'split':
    case 'merge':
      return { at, kind, which };
    case 'slow': {
      const endpoint = chance.pick(['DYNAMODB', 'DYNAMODB', 'KINESIS', 'LAMBDA'] as const);
      const slowness = chance.pick(['delays', 'stalls', 'resets'] as const);
      return { at, kind, endpoint, slowness, ms: chance.whole(500, 9_000) };
    }
    case 'clock':
      return { at, kind, offsetMs: chance.whole(-maximumOffsetMs, maximumOffsetMs) };
    case 'full-disk':
      return {
        at,
        kind,
        spareBytes: chance.pick([0, 5_000, 100_000]),
        ms: chance.whole(500, 5_000),
      };
  }
}
