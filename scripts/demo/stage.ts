import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect, isDeepStrictEqual, styleText } from 'node:util';
import { PutRecordCommand } from '@aws-sdk/client-kinesis';
import { kinesisClient } from '../../src/local/running/aws-clients.ts';
import type { ReadyLine } from '../../src/local/stack.ts';

/** An instance as the API shows it. */
export interface Instance<State = Readonly<Record<string, unknown>>> {
  readonly status: string;
  readonly done: boolean;
  readonly progress: number | null;
  readonly milestones: readonly { readonly label: string; readonly state: string }[];
  readonly state: State;
}

/** One event of an instance's history, as the API shows it. */
export interface Entry<State = Readonly<Record<string, unknown>>> {
  readonly event: { readonly id: string; readonly type: string; readonly data: unknown };
  readonly outcome: 'applied' | 'rejected';
  readonly reason: string | null;
  readonly status: string;
  readonly state: State;
}

const onOneLine = { breakLength: Number.POSITIVE_INFINITY, compact: true };

/** How long a story waits for something to come about, in milliseconds. */
const patience = 20_000;

/** Where stories are played: events go in by the stream, and what came of them is asked of the API. */
export class Stage {
  readonly #ready: ReadyLine;
  readonly #kinesis;

  constructor(ready: ReadyLine) {
    this.#ready = ready;
    this.#kinesis = kinesisClient(ready.kinesis);
  }

  /** Says which story comes. */
  title(text: string): void {
    console.log(`\n${styleText('bold', text)}`);
  }

  /** Prints something as the documents do: on one line, if it fits. */
  print(value: unknown): void {
    const plain = { depth: null, breakLength: 140, compact: true, sorted: false };
    console.log(typeof value === 'string' ? value : inspect(value, plain));
  }

  /**
   * Puts an event on the stream and waits until its instance has it.
   *
   * @param ago how many seconds ago it happened.
   */
  async put<State = Readonly<Record<string, unknown>>>(
    model: string,
    transaction: string,
    type: string,
    data: object = {},
    ago = 0,
  ): Promise<Entry<State>> {
    const id = randomUUID();
    const shown =
      Object.keys(data).length > 0 ? ` ${inspect(data, { ...onOneLine, maxArrayLength: 12 })}` : '';
    console.log(styleText('cyan', `>>> ${type} ${model}/${transaction}${shown}`));
    await this.putRaw(
      transaction,
      JSON.stringify({
        id,
        source: 'demo',
        type,
        modelid: model,
        transactionid: transaction,
        time: new Date(Date.now() - ago * 1000).toISOString(),
        data,
      }),
    );
    const entries = await this.history<State>(model, transaction, (all) =>
      all.some(({ event }) => event.id === id),
    );
    const entry = entries.find(({ event }) => event.id === id)!;
    if (entry.outcome === 'rejected') this.print(`rejected: ${entry.reason}`);
    return entry;
  }

  /** Puts bytes on the stream, whatever they say. */
  async putRaw(partitionKey: string, text: string): Promise<void> {
    await this.#kinesis.send(
      new PutRecordCommand({
        StreamName: this.#ready.stream,
        PartitionKey: partitionKey,
        Data: Buffer.from(text),
      }),
    );
  }

  /** An instance, as soon as it is as wanted. */
  instance<State = Readonly<Record<string, unknown>>>(
    model: string,
    transaction: string,
    wanted: (instance: Instance<State>) => boolean = () => true,
  ): Promise<Instance<State>> {
    return this.#eventually(pathOf(model, transaction), wanted);
  }

  /** An instance's history, as soon as it is as wanted. */
  async history<State = Readonly<Record<string, unknown>>>(
    model: string,
    transaction: string,
    wanted: (entries: readonly Entry<State>[]) => boolean = () => true,
  ): Promise<readonly Entry<State>[]> {
    const path = `${pathOf(model, transaction)}/history?limit=100`;
    type Page = { readonly entries: readonly Entry<State>[] };
    const { entries } = await this.#eventually<Page>(path, (page) => wanted(page.entries));
    return entries;
  }

  /** The dead letter of some bytes, as soon as it is there. */
  async deadLetter(text: string): Promise<{ readonly reason: string }> {
    type Letters = { readonly deadLetters: readonly { reason: string; raw: string }[] };
    const raw = Buffer.from(text).toString('base64');
    const { deadLetters } = await this.#eventually<Letters>('/api/dead-letters', (page) =>
      page.deadLetters.some((letter) => letter.raw === raw),
    );
    return deadLetters.find((letter) => letter.raw === raw)!;
  }

  close(): void {
    this.#kinesis.destroy();
  }

  async #eventually<Body>(path: string, wanted: (body: Body) => boolean): Promise<Body> {
    const end = performance.now() + patience;
    for (let last: unknown; ; await pause(20)) {
      const response = await fetch(`${this.#ready.api}${path}`);
      const body = (await response.json()) as Body;
      if (response.ok && wanted(body)) return body;
      last = body;
      if (performance.now() > end) throw new Error(`${path} stays ${JSON.stringify(last)}`);
    }
  }
}

/** Throws unless a story came out as it should. */
export function expect(actual: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(actual, wanted))
    throw new Error(`expected ${inspect(wanted)}, and it is ${inspect(actual)}`);
}

const pathOf = (model: string, transaction: string) =>
  `/api/instances/${model}/${encodeURIComponent(transaction)}`;
