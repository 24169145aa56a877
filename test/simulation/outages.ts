import { hash } from 'node:crypto';
import type { Chance } from '../../src/common/chance.ts';

/** The AWS services that can have an outage in a run. */
export const services = ['dynamodb', 'kinesis', 'eventbridge', 'lambda', 'secrets', 'kms'] as const;

/** The name of an AWS service that a run's processes call. */
export type Service = (typeof services)[number] | 'sqs' | 's3';

/**
 * The failure of a service during an outage:
 *
 * - `refusing`: it responds with an error.
 * - `unheard`: a request has no effect and no response.
 * - `mute`: a request takes effect immediately and has no response.
 * - `slow`: a request takes effect and gets its response seconds or minutes later, even if its caller timed out and
 *   retried.
 * - `partial`: it rejects requests for some keys, like a throttled partition. A service without keys rejects all
 *   requests.
 * - `mixed`: each request fails in one of these ways, or succeeds.
 */
export type OutageKind = 'refusing' | 'unheard' | 'mute' | 'slow' | 'partial' | 'mixed';

/** A period when a service fails. */
export interface Outage {
  readonly service: Service;
  readonly kind: OutageKind;
  /** The start of the outage in milliseconds since 1970. */
  readonly from: number;
  /** The end of the outage in milliseconds since 1970. */
  readonly to: number;
}

const kinds: readonly OutageKind[] = ['refusing', 'unheard', 'mute', 'slow', 'partial', 'mixed'];
/** The services that can reject individual keys. */
const withKeys: readonly Service[] = ['dynamodb', 'kinesis', 'eventbridge'];
const second = 1_000;
/** The maximum delay of a request by a slow service, in milliseconds. */
const maximumDelay = 3 * 60 * second;

/** The outages of a run, which can overlap. */
export class Outages {
  readonly #outages: readonly Outage[];

  constructor(outages: readonly Outage[]) {
    this.#outages = outages;
  }

  static none = new Outages([]);

  /**
   * Draws one to three outages that begin within 30 seconds of the start. Some of them last ten minutes. `fixed`
   * contains properties that all outages share.
   */
  static draw(chance: Chance, start: number, fixed: Partial<Outage> = {}): Outages {
    const outages = Array.from({ length: chance.pick([1, 1, 2, 3]) }, (): Outage => {
      const from = start + chance.whole(0, 30 * second);
      const lasts = chance.pick([20 * second, 90 * second, 600 * second]);
      const [service, kind] = [chance.pick(services), chance.pick(kinds)];
      return { service, kind, from, to: from + lasts, ...fixed };
    });
    return new Outages(outages);
  }

  /** Whether the run has outages. */
  get some(): boolean {
    return this.#outages.length > 0;
  }

  /** The end of the last outage in milliseconds since 1970, or 0 without outages. */
  get end(): number {
    return Math.max(0, ...this.#outages.map(({ to }) => to));
  }

  /** Returns the kind of a service's outage at a time; undefined if the service works or rejects only some keys. */
  kindAt(
    service: Service,
    now: number,
    chance: Chance,
  ): Exclude<OutageKind, 'mixed' | 'partial'> | undefined {
    const outage = this.#outages.find((each) => isAt(each, service, now));
    if (outage?.kind === 'partial') return withKeys.includes(service) ? undefined : 'refusing';
    if (outage?.kind !== 'mixed') return outage?.kind;
    return chance.pick([undefined, 'refusing', 'unheard', 'mute', 'slow']);
  }

  /** True if a service rejects a key, such as a partition key, at a time. */
  refuses(service: Service, key: string, now: number): boolean {
    const isHot = hash('md5', key, 'buffer').readUInt8(0) % 2 === 0;
    return (
      isHot && this.#outages.some((each) => each.kind === 'partial' && isAt(each, service, now))
    );
  }

  toString(): string {
    return this.#outages
      .map(({ service, kind, from, to }) => `${service} ${kind} ${from}-${to}`)
      .join(', ');
  }
}

const isAt = ({ service, from, to }: Outage, wanted: Service, now: number) =>
  service === wanted && from <= now && now < to;

/** Draws the delay of a request to a slow service, in milliseconds. */
export const delay = (chance: Chance): number =>
  chance.whole(1, chance.pick([2 * second, 20 * second, maximumDelay]));
