import type { Chance } from '../../src/common/chance.ts';
import { type InstanceKey, partitionKeyOf } from '../../src/core/event/event.ts';
import { withMac } from '../../src/core/event/event-mac.ts';
import { readKeyRing, signingKey } from '../../src/core/event/key-ring.ts';
import { forgedBytes, forgedEvent } from './forgery.ts';
import type { Account } from './lambdas.ts';
import type { PutRecord, SentEvent, Until } from './log.ts';
import type { Ask, Fails } from './model.ts';
import { nuisanceKey } from './neighbors.ts';
import type { Nuisance } from './scenario.ts';

/** The plan of a run's input: its models and instances, and the probabilities of unusual events. */
interface Plan {
  readonly models: readonly string[];
  readonly transactions: readonly string[];
  readonly faulty: number;
  readonly failures: readonly Fails['how'][];
  readonly bad: number;
  readonly duplicate: number;
  readonly large: number;
  /** The probability that an event has effects. */
  readonly asking: number;
  readonly replying: number;
}

/** A transaction id with the maximum length in characters and in bytes. */
const giant = '🚲'.repeat(256);
const usualFailures = ['throws', 'throws', 'kills'] as const;
/** The names of timers, whose effects `tally` defines. */
const timerNames = ['ring', 'again', 'tell', 'refuse', 'break'];
/** The durations of timers in seconds. Some timers are due immediately, and some only after the end of a run. */
const delays = [0, 1, 5, 60, 30 * 24 * 60 * 60];

/** The times of events: from imports, and from clocks that are far behind, slightly ahead, or far ahead. */
const eventTimes = [
  '2025-12-24T20:00:00Z',
  '2025-12-24T20:00:00Z',
  '2025-12-25T08:30:00.5Z',
  '2025-12-23T00:00:00.123456789Z',
  '0001-01-01T00:00:00Z',
  '2026-01-01T00:03:00Z',
  '9998-12-31T23:59:59.999Z',
];

/** The simulated systems that send events, including repeated and invalid events. */
export class Producer {
  readonly #account: Account;
  readonly #plan: Plan;
  #ids = 0;
  #secrets = 0;

  constructor(account: Account) {
    const { chance } = account;
    this.#account = account;
    this.#plan = {
      models: ['tally', 'tally', 'tally', 'late', 'never'].slice(0, chance.pick([1, 4, 5])),
      transactions: [
        ...['T1', 'T1#STATUS', 'Zürich/1', 'T1#', 'é🚲', 'T5'].slice(0, chance.whole(1, 6)),
        ...(account.limits ? [giant] : []),
      ],
      faulty: chance.pick(account.limits ? [0.05, 0.1, 0.2] : [0, 0.05, 0.2]),
      failures: [
        ...(account.limits ? (['throws', 'kills', 'refused'] as const) : usualFailures),
        ...(account.timed ? (['blocks'] as const) : []),
      ],
      bad: chance.pick([0, 0.05]),
      duplicate: chance.pick([0, 0.1, 0.3]),
      large: chance.pick([0, 0, 0, 0.05]),
      asking: chance.pick([0, 0.2, 0.6]),
      replying: chance.pick([0, 0.3]),
    };
  }

  /** Sends a random event or record. */
  send(): void {
    const { chance, forgeries, log, together } = this.#account;
    const earlier = log.puts.filter(({ by, event }) => by === 'producer' && event);
    if (forgeries && chance.happens(0.3)) this.#forge();
    else if (together && chance.happens(0.3)) this.#putTogether(earlier);
    else if (chance.happens(this.#plan.bad)) this.#put(chance.pick(['k1', 'T1']), nonsense(chance));
    else if (earlier.length > 0 && chance.happens(this.#plan.duplicate))
      this.#putEvent(chance.pick(earlier).event!);
    else this.#putEvent(this.#newEvent());
  }

  /** Sends the flooded instance an event on which the model fails until it is fixed. */
  sendFaulty(): void {
    const fails = { how: 'throws', until: 'mended' };
    this.#putEvent(this.#event({ n: 1, fails }, 'added', 'tally', 'T1'));
  }

  /** Sends the flooded instance events whose total size exceeds Lambda's payload limit. */
  sendBulky(): void {
    // Pages of parked events are limited in characters, payloads in bytes.
    const filler = '漢'.repeat(80_000);
    for (let n = 0; n < 30; n++)
      this.#putEvent(this.#event({ n: 1, filler }, 'added', 'tally', 'T1'));
  }

  /** Sends many events to one instance and repeats some of them. */
  flood(count: number): void {
    const { chance } = this.#account;
    const sent: SentEvent[] = [];
    while (sent.length < count) {
      const again = sent.length > 0 && chance.happens(0.01);
      const back = chance.pick([10, 900, 5_000]);
      const event = again
        ? sent[chance.whole(Math.max(0, sent.length - back), sent.length - 1)]!
        : this.#event({ n: chance.whole(0, 5) }, 'added', 'tally', 'T1');
      if (!again) sent.push(event);
      this.#putEvent(event);
    }
  }

  /** Sends the next event to a neighbor of the instance that causes problems. */
  sendOf(transaction: string): void {
    this.#putEvent(this.#event({ n: 1 }, 'added', 'tally', transaction));
  }

  /** Sends the events that cause problems for other instances. */
  bother(nuisance: Nuisance): void {
    const { chance, inlet } = this.#account;
    const put = (fails: Fails | undefined, count: number) => {
      this.#putEvent(this.#event({ n: 1, ...(fails && { fails }) }, 'added', 'tally', nuisanceKey));
      for (let n = 0; n < count; n++)
        this.#putEvent(this.#event({ n: 1 }, 'added', 'tally', nuisanceKey));
    };
    switch (nuisance) {
      case 'flood':
        return put(undefined, chance.whole(1_000, 2_000));
      case 'producer':
        for (let n = chance.whole(1_000, 2_000); n > 0; n--) {
          const event = this.#event({ n: 1 }, 'added', 'tally', `flooded-${n % 100}`);
          inlet.put('producer', nuisanceKey, this.#recordOf(event).bytes, { event });
        }
        return;
      case 'blocks': {
        const fails: Fails = { how: 'blocks', until: chance.pick(['always', 'mended']) };
        // With this many instances, a dispatcher has no time to isolate all of them in one invocation.
        for (let n = chance.pick([0, 0, 40]); n > 0; n--) {
          const event = this.#event({ n: 1, fails }, 'added', 'tally', `blocked-${n}`);
          inlet.put('producer', nuisanceKey, this.#recordOf(event).bytes, { event });
        }
        return put(fails, 20);
      }
      case 'throws':
        return put({ how: 'throws', until: chance.pick(['always', 'mended']) }, 500);
      case 'starved':
        return put({ how: 'starved', until: chance.pick(['always', 'mended']) }, 3);
    }
  }

  /** Requests a redrive of an instance's parked events. */
  redrive(instance: InstanceKey): void {
    this.#request(instance, { type: 'milepost.redrive' });
  }

  /** Requests a rebuild of an instance or, with `rowsOnly`, of only its status row. */
  rebuild(instance: InstanceKey, rowsOnly: boolean): void {
    this.#request(instance, { type: 'milepost.rebuild', data: { rowsOnly } });
  }

  #request(
    { model, transaction }: InstanceKey,
    content: { readonly type: string; readonly data?: unknown },
  ): void {
    const data = {
      specversion: '1.0',
      id: `request-${++this.#ids}`,
      source: 'milepost:api',
      ...content,
      modelid: model,
      transactionid: transaction,
    };
    const { clock, keyRing } = this.#account;
    const key = signingKey(readKeyRing(keyRing), clock.now());
    const bytes = withMac(Buffer.from(JSON.stringify(data)), key);
    this.#put(partitionKeyOf({ transaction }), bytes, { isRequest: true });
  }

  /** Puts a new record with the bytes of an earlier record on the stream. */
  putAgain({ by, partitionKey, bytes, event, isRequest }: PutRecord): void {
    this.#account.inlet.put(by, partitionKey, bytes, { event, isRequest });
  }

  /** Forges events that only Milepost may send, some of which an instance sends later. */
  #forge(): void {
    const { chance, log } = this.#account;
    const { transactions } = this.#plan;
    const own = log.puts.filter(({ by }) => by === 'instance' || by === 'clock');
    const event = forgedEvent(chance, {
      id: `forged-${++this.#ids}`,
      transaction: chance.pick(transactions),
      own,
    });
    // With any other source, the event is an ordinary event, regardless of its id.
    if (chance.happens(0.2)) {
      this.#putEvent({ ...event, source: 'tally/T1', type: 'added', data: { n: 1 } });
      return;
    }
    const bytes = forgedBytes(chance, event, own);
    this.#account.count('forged events');
    this.#put(log.keyed ? event.transaction : 'k1', bytes);
  }

  #newEvent(): SentEvent {
    const { chance } = this.#account;
    const { models, transactions, faulty, failures, large } = this.#plan;
    const [model, transaction] = [chance.pick(models), chance.pick(transactions)];
    if (chance.happens(large)) {
      const data = chance.pick([
        { n: 1, filler: 'y'.repeat(chance.pick([9_000, 100_000])) },
        { bytes: chance.pick([10, 6_000, 290_000, 310_000]) },
      ]);
      return this.#event(data, 'n' in data ? 'added' : 'filled', model, transaction);
    }
    if (chance.happens(0.05))
      return this.#event(
        { ...chance.pick([{}, { n: 'x' }, { n: 1 }]), ...this.#secret() },
        chance.pick(['added', 'vanished']),
        model,
        transaction,
      );
    const until: Until = chance.pick(['always', 'mended', 'mended', 1, 2, 5]);
    const fails = chance.happens(faulty) ? { fails: { how: chance.pick(failures), until } } : {};
    const data = { n: chance.whole(-1, 30), ...fails, ...this.#secret(), ...this.#asks(2) };
    return this.#event(data, chance.pick(['added', 'added', 'taken']), model, transaction);
  }

  /** Draws the personal data of an event. */
  #secret(): { secret?: string } {
    const { chance, sealed } = this.#account;
    return sealed && chance.happens(0.5) ? { secret: `secret-${++this.#secrets}` } : {};
  }

  /** Draws the effects of an event and, recursively, the effects of the events that it sends. */
  #asks(depth: number): { asks?: readonly Ask[] } {
    const { chance, erasing } = this.#account;
    if (depth === 0 || !chance.happens(this.#plan.asking)) return {};
    // With erasures, request no events or notifications, because they lose their data if it is erased before they are sent.
    const names = timerNames.filter((name) => !erasing || name !== 'tell');
    const ask = (): Ask => {
      switch (chance.whole(0, 6)) {
        case 0:
          return erasing
            ? { cancel: 'ring' }
            : { tell: chance.pick(['Told', 'StatusChanged']), n: chance.whole(0, 9) };
        case 1:
          return { cancel: chance.pick(timerNames) };
        case 2:
        case 3:
          return { start: chance.pick(names), after: chance.pick(delays) };
        default:
          return erasing ? { start: 'ring', after: 5 } : this.#emission(depth);
      }
    };
    return { asks: Array.from({ length: chance.whole(1, 3) }, ask) };
  }

  #emission(depth: number): Ask {
    const { chance } = this.#account;
    const { models, transactions, large } = this.#plan;
    return {
      emit: chance.pick(['added', 'taken']),
      model: chance.pick(models),
      transaction: chance.pick(transactions),
      data: { n: chance.whole(-1, 9), ...this.#secret(), ...this.#asks(depth - 1) },
      replyTo: chance.happens(0.5),
      ...(chance.happens(large) ? { pad: chance.pick([9_000, 100_000, 300_000]) } : {}),
    };
  }

  #event(
    data: Readonly<Record<string, unknown>>,
    type: string,
    model: string,
    transaction: string,
  ): SentEvent {
    const { chance } = this.#account;
    const { models, transactions, replying } = this.#plan;
    return {
      source: chance.pick(['a', 'b']),
      id: `e${++this.#ids}`,
      model,
      transaction,
      type,
      ...(chance.happens(0.5) ? { time: eventTimes[this.#ids % eventTimes.length] } : {}),
      data,
      ...(chance.happens(replying)
        ? { replyto: `${chance.pick(models)}/${chance.pick(transactions)}` }
        : {}),
    };
  }

  #putEvent(event: SentEvent): void {
    const { partitionKey, bytes } = this.#recordOf(event);
    this.#put(partitionKey, bytes, { event });
  }

  /** Puts several events, some of which are repeated or invalid, in one record. */
  #putTogether(earlier: readonly PutRecord[]): void {
    const { chance, inlet, log } = this.#account;
    const several = Array.from({ length: chance.whole(1, 12) }, () =>
      earlier.length > 0 && chance.happens(this.#plan.duplicate)
        ? chance.pick(earlier).event!
        : this.#newEvent(),
    );
    const [{ transaction }] = several as [SentEvent];
    const parts: { partitionKey: string; bytes: Uint8Array; event?: SentEvent }[] = several
      // If the events of an instance have an order, all events of a record belong to one instance and share its key.
      .filter((event) => !log.keyed || event.transaction === transaction)
      .map((event) => ({ ...this.#recordOf(event), event }));
    if (chance.happens(this.#plan.bad))
      parts.splice(chance.whole(0, parts.length), 0, {
        partitionKey: transaction,
        bytes: nonsense(chance),
      });
    inlet.putTogether(log.keyed ? partitionKeyOf({ transaction }) : 'a', parts);
  }

  #recordOf(event: SentEvent): { partitionKey: string; bytes: Uint8Array } {
    const { chance, log } = this.#account;
    const { model: modelid, transaction: transactionid, ...rest } = event;
    const bytes = Buffer.from(JSON.stringify({ ...rest, modelid, transactionid }));
    const partitionKey = log.keyed
      ? partitionKeyOf({ transaction: transactionid })
      : `k${chance.whole(0, 9)}`;
    return { partitionKey, bytes };
  }

  #put(partitionKey: string, bytes: Uint8Array, more: Partial<PutRecord> = {}): void {
    this.#account.inlet.put('producer', partitionKey, bytes, more);
  }
}

/** Draws bytes that are not an event. */
function nonsense(chance: Chance): Buffer {
  const event = { id: 'bad', type: 'added', modelid: 'tally', transactionid: 'T1', data: {} };
  const kind = chance.whole(0, 7);
  const texts = [
    'not JSON',
    '[]',
    JSON.stringify({ ...event, id: '' }),
    JSON.stringify({ ...event, transactionid: 'T\u0000' }),
    JSON.stringify({ ...event, modelid: undefined }),
    '{"id":"bad","type":"added","modelid":"tally","transactionid":"T1","data":1e999}',
  ];
  if (kind < texts.length) return Buffer.from(texts[kind]!);
  if (kind === 6) return Buffer.from([0xff, 0xfe, 0x00]);
  // The bytes exceed the size limit of an event, and sometimes that of a DynamoDB item.
  return Buffer.alloc(chance.pick([257, 400]) * 1024, '{"id":"large"}');
}
