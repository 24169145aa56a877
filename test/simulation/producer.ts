import type { Chance } from './chance.ts';
import type { Account } from './lambdas.ts';
import type { PutRecord, SentEvent, Until } from './log.ts';
import type { SimulatedStream } from './stream.ts';

/** What a run sends: how much, to whom, and how often it is out of the ordinary. */
interface Plan {
  readonly models: readonly string[];
  readonly transactions: readonly string[];
  readonly faulty: number;
  readonly bad: number;
  readonly duplicate: number;
  readonly large: number;
}

/** The systems that send events, some of them twice, some of them nonsense. */
export class Producer {
  readonly #account: Account;
  readonly #stream: SimulatedStream;
  readonly #plan: Plan;
  #ids = 0;

  constructor(account: Account, stream: SimulatedStream) {
    const { chance } = account;
    this.#account = account;
    this.#stream = stream;
    this.#plan = {
      models: ['tally', 'tally', 'tally', 'late', 'never'].slice(0, chance.pick([1, 4, 5])),
      transactions: ['T1', 'T1#STATUS', 'Zürich/1', 'T1#', 'é🚲', 'T5'].slice(
        0,
        chance.whole(1, 6),
      ),
      faulty: chance.pick([0, 0.05, 0.2]),
      bad: chance.pick([0, 0.05]),
      duplicate: chance.pick([0, 0.1, 0.3]),
      large: chance.pick([0, 0, 0, 0.05]),
    };
  }

  /** Sends something. */
  send(): void {
    const { chance, log } = this.#account;
    const earlier = log.puts.filter(({ event }) => event);
    if (chance.happens(this.#plan.bad)) this.#put(chance.pick(['k1', 'T1']), nonsense(chance));
    else if (earlier.length > 0 && chance.happens(this.#plan.duplicate))
      this.#putEvent(chance.pick(earlier).event!);
    else this.#putEvent(this.#newEvent());
  }

  /** Sends many events to one instance, and some of them again. */
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

  /** Asks for an instance's parked events to be applied again. */
  redrive(model: string, transaction: string): void {
    const data = {
      specversion: '1.0',
      id: `redrive-${++this.#ids}`,
      source: 'milepost',
      type: 'milepost.redrive',
      modelid: model,
      transactionid: transaction,
    };
    this.#put(transaction, Buffer.from(JSON.stringify(data)), { redrive: true });
  }

  /** Puts a record's bytes once more. */
  putAgain({ partitionKey, bytes, event, redrive }: PutRecord): void {
    this.#put(partitionKey, bytes, { event, redrive });
  }

  #newEvent(): SentEvent {
    const { chance } = this.#account;
    const { models, transactions, faulty, large } = this.#plan;
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
        chance.pick([{}, { n: 'x' }, { n: 1 }]),
        chance.pick(['added', 'vanished']),
        model,
        transaction,
      );
    const until: Until = chance.pick(['always', 'mended', 'mended', 1, 2, 5]);
    const fails = chance.happens(faulty)
      ? { fails: { how: chance.pick(['throws', 'throws', 'kills']), until } }
      : {};
    const data = { n: chance.whole(-1, 30), ...fails };
    return this.#event(data, chance.pick(['added', 'added', 'taken']), model, transaction);
  }

  #event(
    data: Readonly<Record<string, unknown>>,
    type: string,
    model: string,
    transaction: string,
  ): SentEvent {
    const { chance } = this.#account;
    return {
      source: chance.pick(['a', 'b']),
      id: `e${++this.#ids}`,
      model,
      transaction,
      type,
      ...(chance.happens(0.5) ? { time: '2025-12-24T20:00:00Z' } : {}),
      data,
    };
  }

  #putEvent(event: SentEvent): void {
    const { chance, log } = this.#account;
    const { model: modelid, transaction: transactionid, ...rest } = event;
    const bytes = Buffer.from(JSON.stringify({ ...rest, modelid, transactionid }));
    this.#put(log.keyed ? transactionid : `k${chance.whole(0, 9)}`, bytes, { event });
  }

  #put(partitionKey: string, bytes: Uint8Array, more: Partial<PutRecord> = {}): void {
    const { shard, record } = this.#stream.put(partitionKey, bytes);
    const { sequenceNumber: sequence, arrivedAt } = record;
    this.#account.log.puts.push({ shard, sequence, partitionKey, arrivedAt, bytes, ...more });
    this.#account.count('records');
    this.#account.trace(
      `put ${shard}:${sequence} ${partitionKey} ${Buffer.from(bytes).toString().slice(0, 200)}`,
    );
  }
}

/** Bytes that are no event. */
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
  // More than an event may have, and sometimes more than an item may.
  return Buffer.alloc(chance.pick([257, 400]) * 1024, '{"id":"large"}');
}
