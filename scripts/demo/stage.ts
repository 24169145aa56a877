import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { inspect, isDeepStrictEqual, styleText } from 'node:util';
import { PutRecordCommand } from '@aws-sdk/client-kinesis';
import { kinesisClient } from '../../src/local/running/aws-clients.ts';
import type { ReadyLine } from '../../src/local/stack.ts';

/** An instance as returned by the API. */
export interface Instance<State = Readonly<Record<string, unknown>>> {
  readonly status: string;
  readonly done: boolean;
  readonly progress: number | null;
  readonly milestones: readonly { readonly label: string; readonly state: string }[];
  readonly state: State;
}

/** A history entry as returned by the API. */
export interface Entry<State = Readonly<Record<string, unknown>>> {
  readonly event: { readonly id: string; readonly type: string; readonly data: unknown };
  readonly outcome: 'applied' | 'rejected';
  readonly reason: string | null;
  readonly status: string;
  readonly state: State;
}

const onOneLine = { breakLength: Number.POSITIVE_INFINITY, compact: true };

/** How long to wait for an expected result, in milliseconds. */
const patience = 20_000;

/** Runs scenarios: puts events on the stream and reads the results from the API. */
export class Stage {
  readonly #ready: ReadyLine;
  readonly #kinesis;

  constructor(ready: ReadyLine) {
    this.#ready = ready;
    this.#kinesis = kinesisClient(ready.kinesis);
  }

  title(text: string): void {
    console.log(`\n${styleText('bold', text)}`);
  }

  /** Prints a string unchanged, and any other value on one line if it fits. */
  print(value: unknown): void {
    const plain = { depth: null, breakLength: 140, compact: true, sorted: false };
    console.log(typeof value === 'string' ? value : inspect(value, plain));
  }

  /**
   * Puts an event on the stream and waits until the history of its instance contains it.
   *
   * @param ago how many seconds ago the event happened.
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

  /** Puts text, which may not be a valid event, on the stream. */
  async putRaw(partitionKey: string, text: string): Promise<void> {
    await this.#kinesis.send(
      new PutRecordCommand({
        StreamName: this.#ready.stream,
        PartitionKey: partitionKey,
        Data: Buffer.from(text),
      }),
    );
  }

  /** Waits until an instance meets the condition and returns the instance. */
  instance<State = Readonly<Record<string, unknown>>>(
    model: string,
    transaction: string,
    wanted: (instance: Instance<State>) => boolean = () => true,
  ): Promise<Instance<State>> {
    return this.#eventually(pathOf(model, transaction), wanted);
  }

  /** Waits until an instance's history meets the condition and returns the history. */
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

  /** Waits for the dead letter of a record with the given text and returns its reason. */
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
    for (;;) {
      const response = await fetch(`${this.#ready.api}${path}`);
      const body = (await response.json()) as Body;
      if (response.ok && wanted(body)) return body;
      if (performance.now() > end)
        throw new Error(
          `${path} did not meet the condition in time; it is ${JSON.stringify(body)}`,
        );
      await pause(20);
    }
  }
}

/** Throws an error if the actual value differs from the expected value. */
export function expect(actual: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(actual, wanted))
    throw new Error(`expected ${inspect(wanted)}; got ${inspect(actual)}`);
}

const pathOf = (model: string, transaction: string) =>
  `/api/instances/${model}/${encodeURIComponent(transaction)}`;
