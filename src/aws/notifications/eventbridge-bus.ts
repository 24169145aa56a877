import { halvesOf, inChunksWithin } from '../../common/chunks.ts';
import { type Clock, systemClock } from '../../common/clock.ts';
import type { Deadline } from '../../common/deadline.ts';
import { isPermanent } from '../../core/errors.ts';
import type { InstanceNotification, NotificationBus } from '../../publisher/notification-bus.ts';
import type { SettledResult } from '../../stores/settled-result.ts';
import type { EventBridge } from '../client/eventbridge.ts';
import { ServiceError } from '../client/transport/service-error.ts';
import { answerForEach } from '../dynamodb/answer-for-each.ts';

/** How many times to try to put an entry. */
const attempts = 4;
/** The maximum number of entries per PutEvents request. */
const maximumEntries = 10;
/** The maximum number of concurrent requests. */
const maximumLanes = 8;
/**
 * The maximum total size of the details in a request, in bytes. Until January 2026, EventBridge limited a request to
 * 256 KB. The other attributes use up to 16 KB.
 */
const maximumBytes = 240 * 1024;

/** A notification that is being published to the bus. */
interface Entry extends InstanceNotification {
  /** The name of the notification's instance. */
  readonly name: string;
  answer?: SettledResult<void>;
}

/** Entries that are sent sequentially: all entries of some instances, in order. */
interface Lane {
  readonly entries: readonly Entry[];
  /**
   * The error for each instance with an entry that the bus rejected in all attempts, by the instance's name. Later
   * entries for these instances are not sent.
   */
  readonly stopped: Map<string, Error>;
}

/**
 * Publishes notifications to an EventBridge bus.
 *
 * PutEvents can reject some entries in a request and accept others. A rejected entry is retried together with the later
 * entries for its instance to keep the instance's notifications in order.
 */
export class EventBridgeBus implements NotificationBus {
  readonly #client: EventBridge;
  readonly #bus: string;
  readonly #clock: Clock;

  constructor(client: EventBridge, bus: string, clock: Clock = systemClock) {
    this.#client = client;
    this.#bus = bus;
    this.#clock = clock;
  }

  async publish(
    notifications: readonly InstanceNotification[],
    deadline: Deadline,
  ): Promise<SettledResult<void>[]> {
    const entries = notifications.map(
      (each): Entry => ({ ...each, name: JSON.stringify(each.instance) }),
    );
    await Promise.all(inLanes(entries).map((lane) => this.#putLane(lane, deadline)));
    return entries.map(({ answer }) => answer!);
  }

  async #putLane(lane: Lane, deadline: Deadline): Promise<void> {
    try {
      for (const round of inRounds(lane.entries)) await this.#put(round, lane, deadline);
    } catch (error) {
      // The bus is unavailable or the deadline has passed, so further requests would also fail.
      for (const entry of lane.entries) entry.answer ??= { error };
    }
    for (const entry of lane.entries) entry.answer ??= { error: lane.stopped.get(entry.name) };
  }

  /**
   * Puts the entries in one request, with retries, or in smaller requests if the bus permanently rejects the whole
   * request. Throws if a request fails with a retryable error.
   */
  async #put(round: readonly Entry[], lane: Lane, deadline: Deadline): Promise<void> {
    const { stopped } = lane;
    let open = round.filter(({ name }) => !stopped.has(name));
    for (let attempt = 1; open.length > 0; attempt++) {
      const errors = await this.#request(open, deadline);
      if (errors === 'refused as a whole') {
        for (const half of halvesOf(open)) await this.#put(half, lane, deadline);
        return;
      }
      const refused = new Map<string, Error>();
      open = open.filter((entry, index) => {
        const error = errors[index];
        if (error && !isPermanent(error)) refused.set(entry.name, error);
        const isOpen = refused.has(entry.name) && !(error && isPermanent(error));
        if (!isOpen) entry.answer = error ? { error } : { value: undefined };
        return isOpen;
      });
      if (attempt === attempts) {
        for (const [name, error] of refused) stopped.set(name, error);
        return;
      }
      if (open.length > 0) await this.#clock.sleep(50 * 2 ** attempt);
    }
  }

  /**
   * Sends entries once. Returns the error for each entry, which is undefined if the bus accepted the entry; or `refused
   * as a whole` if the bus permanently rejected a request with several entries.
   */
  async #request(
    open: readonly Entry[],
    deadline: Deadline,
  ): Promise<readonly (Error | undefined)[] | 'refused as a whole'> {
    if (deadline.hasPassed) throw new Error(outOfTime);
    try {
      const answer = await deadline.race(
        this.#client.putEvents({ Entries: open.map((entry) => this.#toEntry(entry)) }),
      );
      if (answer === 'late') throw new Error(outOfTime);
      return answerForEach('PutEvents', answer.Entries, open.length).map(
        ({ ErrorCode, ErrorMessage = '' }) =>
          ErrorCode ? new ServiceError(ErrorCode, `${ErrorCode} ${ErrorMessage}`, 400) : undefined,
      );
    } catch (error) {
      if (!isPermanent(error)) throw error;
      return open.length === 1 ? [error as Error] : 'refused as a whole';
    }
  }

  #toEntry({ notification }: Entry) {
    return {
      EventBusName: this.#bus,
      Source: notification.source,
      DetailType: notification['detail-type'],
      Time: new Date(notification.time),
      Detail: JSON.stringify(notification.detail),
    };
  }
}

const outOfTime = 'the deadline passed before the bus accepted the notification';

/**
 * Distributes entries across lanes, with all entries for an instance in the same lane. The number of lanes never
 * exceeds the number of requests that the entries need. Each lane keeps the given order, so its oldest entries are sent
 * first, whatever their instance.
 */
function inLanes(entries: readonly Entry[]): Lane[] {
  const count = Math.min(maximumLanes, Math.ceil(entries.length / maximumEntries));
  const sizes = Array.from({ length: count }, () => 0);
  const laneOf = new Map<string, number>();
  for (const [name, { length }] of Map.groupBy(entries, (entry) => entry.name)) {
    const least = sizes.indexOf(Math.min(...sizes));
    sizes[least]! += length;
    laneOf.set(name, least);
  }
  const lanes = Map.groupBy(entries, ({ name }) => laneOf.get(name));
  return [...lanes.values()].map((lane) => ({ entries: lane, stopped: new Map() }));
}

/**
 * Splits entries into requests within the limits of PutEvents.
 *
 * @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
 */
const inRounds = (entries: readonly Entry[]): Entry[][] =>
  inChunksWithin(entries, { values: maximumEntries, bytes: maximumBytes }, ({ notification }) =>
    Buffer.byteLength(JSON.stringify(notification.detail)),
  );
