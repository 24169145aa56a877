import pMap from 'p-map';
import { packed } from '../core/chunks.ts';
import { type Clock, systemClock } from '../core/clock.ts';
import type { Notice } from '../core/notice.ts';
import type { Notifier } from '../service/ports.ts';
import { answerForEach } from './answer-for-each.ts';
import type { EventBridge } from './client/eventbridge.ts';
import { ServiceError } from './client/service-error.ts';

/** How often notices that the bus did not take are put again. */
const attempts = 4;
/** The most entries that PutEvents takes at a time. */
const maximumEntries = 10;
/** So many requests at once. */
const maximumLanes = 8;
/** Of the 256 KB that they may have together, some room is left for their other attributes. */
const maximumBytes = 240 * 1024;

/** The bus that notices are published to. */
export class EventBridgeNotifier implements Notifier {
  readonly #client: EventBridge;
  readonly #bus: string;
  readonly #clock: Clock;

  constructor(client: EventBridge, bus: string, clock: Clock = systemClock) {
    this.#client = client;
    this.#bus = bus;
    this.#clock = clock;
  }

  async publish(notices: readonly Notice[]): Promise<void> {
    // Those of an instance one after the other; of others they need not wait.
    await pMap(inLanes(notices), async (lane) => {
      for (const round of inRounds(lane)) await this.#putAll(round);
    });
  }

  async #putAll(round: readonly Notice[]): Promise<void> {
    let open = round;
    for (let attempt = 1; ; attempt++) {
      const { Entries } = await this.#client.putEvents({
        Entries: open.map((notice) => this.#entry(notice)),
      });
      const answers = answerForEach('PutEvents', Entries, open.length);
      const refused = answers.findIndex(({ ErrorCode }) => ErrorCode);
      if (refused === -1) return;
      const { ErrorCode, ErrorMessage = '' } = answers[refused]!;
      if (attempt === attempts)
        throw new ServiceError(
          ErrorCode!,
          `the bus did not take ${open[refused]!.id}: ${ErrorCode} ${ErrorMessage}`,
          400,
        );
      // What stands behind it is put again with it: the order of an instance's notices stays.
      open = open.slice(refused);
      await this.#clock.sleep(50 * 2 ** attempt);
    }
  }

  #entry({ type, at, detail }: Notice) {
    return {
      EventBusName: this.#bus,
      Source: 'milepost',
      DetailType: type,
      Time: new Date(at),
      Detail: JSON.stringify(detail),
    };
  }
}

/** As few lanes as there are requests to fill, each with all notices of its instances, in order. */
function inLanes(notices: readonly Notice[]): Notice[][] {
  const count = Math.min(maximumLanes, Math.ceil(notices.length / maximumEntries));
  const lanes = Array.from({ length: count }, (): Notice[] => []);
  for (const group of Map.groupBy(notices, nameOf).values())
    lanes.reduce((least, lane) => (lane.length < least.length ? lane : least)).push(...group);
  return lanes;
}

const nameOf = ({ instance: { model, transaction } }: Notice) => `${model}/${transaction}`;

/** @see https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html */
const inRounds = (notices: readonly Notice[]): Notice[][] =>
  packed(notices, { values: maximumEntries, bytes: maximumBytes }, ({ detail }) =>
    Buffer.byteLength(JSON.stringify(detail)),
  );
