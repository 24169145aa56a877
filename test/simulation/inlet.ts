import { sequenceInRecord } from '../../src/core/history/sequence.ts';
import { aggregate } from '../support/data/aggregate.ts';
import type { Surroundings } from './environment.ts';
import type { PutRecord, Putter, RunLog, SentEvent } from './log.ts';
import type { SimulatedStream } from './stream.ts';

/** Puts records on the stream, and logs them for the audit. */
export class Inlet {
  readonly #around: Surroundings;
  readonly #stream: SimulatedStream;
  readonly #log: RunLog;
  readonly #backlogMs: number;

  /** @param backlogMs the age of producers' records when the stream delivers them for the first time, in milliseconds. */
  constructor(around: Surroundings, stream: SimulatedStream, log: RunLog, backlogMs: number) {
    this.#backlogMs = backlogMs;
    this.#around = around;
    this.#stream = stream;
    this.#log = log;
  }

  put(by: Putter, partitionKey: string, bytes: Uint8Array, more: Partial<PutRecord> = {}): void {
    const { shard, record } = this.#stream.put(
      partitionKey,
      bytes,
      by === 'producer' ? this.#backlogMs : 0,
    );
    const { sequenceNumber: sequence, arrivedAt } = record;
    this.#log.puts.push({ by, shard, sequence, partitionKey, arrivedAt, bytes, ...more });
    this.#around.count(`records by ${by}`);
    this.#around.trace(
      `put ${shard}:${sequence} ${partitionKey} ${Buffer.from(bytes).toString().slice(0, 300)}`,
    );
  }

  /** Puts several events as one aggregated record, as the Kinesis Producer Library does. */
  putTogether(
    partitionKey: string,
    parts: readonly (Pick<PutRecord, 'partitionKey' | 'bytes'> & Partial<PutRecord>)[],
  ): void {
    const records = parts.map((part) => ({ ...part, data: part.bytes }));
    const { shard, record } = this.#stream.put(partitionKey, aggregate(records), this.#backlogMs);
    const { sequenceNumber, arrivedAt } = record;
    for (const [place, part] of parts.entries()) {
      const sequence = sequenceInRecord(sequenceNumber, place);
      this.#log.puts.push({ by: 'producer', shard, sequence, arrivedAt, ...part });
    }
    this.#around.count('aggregated records');
    this.#around.trace(`put ${shard}:${sequenceNumber} ${partitionKey} ${parts.length} in one`);
  }

  /** Puts a record that an instance, the clock, or a dispatcher sends. */
  putOwn(by: Exclude<Putter, 'producer'>, partitionKey: string, bytes: Uint8Array): void {
    const {
      modelid,
      transactionid,
      milepostmac: _,
      ...rest
    } = JSON.parse(Buffer.from(bytes).toString()) as Omit<SentEvent, 'model' | 'transaction'> &
      Readonly<Record<'modelid' | 'transactionid' | 'milepostmac', string>>;
    const event = { ...rest, model: modelid, transaction: transactionid };
    const isRedrive = event.type === 'milepost.redrive';
    this.put(by, partitionKey, bytes, isRedrive ? { isRequest: true } : { event });
  }
}
