import type { KinesisStreamEvent } from 'aws-lambda';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { MemoryCheckpoints } from '../../../src/aws-local/event-source/checkpoints.ts';
import { EventSourceMapping } from '../../../src/aws-local/event-source/event-source-mapping.ts';
import type { InvocationResult } from '../../../src/aws-local/event-source/options.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { failedItems, mappingIdentity, onlyShard, steadyRandom } from './harness.ts';
import { MemoryStream } from './memory-stream.ts';

type Answer =
  | { readonly kind: 'ok' | 'throws' | 'badItem' | 'throttled' }
  | { readonly kind: 'checkpoint'; readonly at: number };

type Step =
  | { readonly kind: 'put'; readonly keys: readonly string[] }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'split' | 'merge' | 'restart' | 'kill' | 'throttleReads' };

const answers = fc.infiniteStream(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('ok' as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constantFrom('throws' as const, 'badItem' as const, 'throttled' as const),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('checkpoint' as const), at: fc.nat(9) }),
    },
  ),
);

const steps = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('put' as const),
        keys: fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), {
          minLength: 1,
          maxLength: 12,
        }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(3000) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom(
          'split' as const,
          'merge' as const,
          'restart' as const,
          'kill' as const,
          'throttleReads' as const,
        ),
      }),
    },
  ),
  { minLength: 1, maxLength: 15 },
);

const settings = fc.record({
  BatchSize: fc.integer({ min: 1, max: 8 }),
  MaximumBatchingWindowInSeconds: fc.constantFrom(0, 0, 1),
  ParallelizationFactor: fc.integer({ min: 1, max: 4 }),
  BisectBatchOnFunctionError: fc.boolean(),
  MaximumRetryAttempts: fc.constantFrom(-1, 0, 2),
  MaximumRecordAgeInSeconds: fc.constantFrom(-1, 60),
  combineLanes: fc.boolean(),
  checkpointIntervalMs: fc.constantFrom(0, 100),
});

type Settings = typeof settings extends fc.Arbitrary<infer T> ? T : never;

/** An event source on a stream with splits and merges, and the records that were put and processed. */
class World {
  readonly clock = new ManualClock();
  readonly stream = new MemoryStream(this.clock);
  readonly checkpoints = new MemoryCheckpoints();
  /** The sequence numbers of each key's records, in order. */
  readonly put = new Map<string, string[]>();
  /** The records that any process has processed or discarded. */
  readonly done = new Set<string>();
  readonly #answers: Iterator<Answer>;
  readonly #settings: Settings;
  #open = [{ shardId: onlyShard, keys: ['a', 'b', 'c', 'd', 'e', 'f'] }];
  #process: { readonly source: EventSourceMapping; kill(): void };

  constructor(answers: Iterator<Answer>, settings: Settings) {
    this.#answers = answers;
    this.#settings = settings;
    this.#process = this.#start();
  }

  async take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'put':
        for (const key of step.keys) this.#put(key);
        return;
      case 'wait':
        return this.clock.advance(step.ms);
      case 'split':
        return this.#split();
      case 'merge':
        return this.#merge();
      case 'throttleReads':
        this.stream.failuresToCome = 3;
        return;
      case 'restart':
        await this.clock.runUntil(this.#process.source.stop());
        this.#process = this.#start();
        return;
      case 'kill':
        this.#process.kill();
        this.#process = this.#start();
    }
  }

  async finish(): Promise<void> {
    await this.clock.runUntil(this.#process.source.waitUntilIdle());
    await this.clock.runUntil(this.#process.source.stop());
  }

  /** Starts a process with an event source. After the process is killed, its actions have no effect. */
  #start(): { readonly source: EventSourceMapping; kill(): void } {
    let isAlive = true;
    const doneHere = new Set<string>();
    const complete = (records: readonly string[]): void => {
      for (const record of records) {
        this.done.add(record);
        doneHere.add(record);
      }
    };
    const { combineLanes, checkpointIntervalMs, ...properties } = this.#settings;
    const source = new EventSourceMapping({
      combineLanes,
      checkpointIntervalMs,
      mapping: mappingIdentity,
      properties: {
        StartingPosition: 'TRIM_HORIZON',
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        DestinationConfig: { OnFailure: { Destination: 'arn' } },
        ...properties,
      },
      reader: this.stream,
      clock: this.clock,
      random: steadyRandom(),
      log: () => undefined,
      readAheadRecords: 20,
      checkpoints: {
        load: () => this.checkpoints.load(),
        save: async (positions) => {
          if (isAlive) await this.checkpoints.save(positions);
        },
      },
      destination: {
        deliver: async (record) => {
          if (!isAlive) return new Promise(() => undefined);
          const { Records } = record.payload as KinesisStreamEvent;
          complete(Records.map(({ kinesis }) => kinesis.sequenceNumber));
        },
      },
      invoke: async (event: KinesisStreamEvent): Promise<InvocationResult> => {
        if (!isAlive) return new Promise(() => undefined);
        const batch = event.Records.map(({ kinesis }) => kinesis);
        this.#expectInOrder(batch, doneHere);
        const answer: Answer = this.#answers.next().value;
        await this.clock.sleep(100);
        if (!isAlive) return new Promise(() => undefined);
        return reply(
          answer,
          batch.map((record) => record.sequenceNumber),
          complete,
        );
      },
    });
    void source.start();
    return {
      source,
      kill: () => {
        isAlive = false;
        void source.stop();
      },
    };
  }

  /**
   * Expects that this process has completed no record of the batch, and that all earlier records of each key are done
   * or earlier in the batch.
   */
  #expectInOrder(
    batch: readonly { readonly sequenceNumber: string; readonly partitionKey: string }[],
    doneHere: ReadonlySet<string>,
  ): void {
    const inBatch = new Set<string>();
    for (const { sequenceNumber, partitionKey } of batch) {
      if (doneHere.has(sequenceNumber))
        throw new Error(`${sequenceNumber} was delivered again after it was done`);
      const ofKey = this.put.get(partitionKey) ?? [];
      for (const earlier of ofKey.slice(0, ofKey.indexOf(sequenceNumber))) {
        if (!this.done.has(earlier) && !inBatch.has(earlier)) {
          throw new Error(`${sequenceNumber} of ${partitionKey} overtook ${earlier}`);
        }
      }
      inBatch.add(sequenceNumber);
    }
  }

  #put(key: string): void {
    const shard = this.#open.find(({ keys }) => keys.includes(key));
    const [sequenceNumber] = this.stream.put(shard?.shardId ?? '', key);
    this.put.set(key, [...(this.put.get(key) ?? []), sequenceNumber ?? '']);
  }

  #split(): void {
    const shard = this.#open.shift();
    if (shard === undefined) return;
    const middle = Math.ceil(shard.keys.length / 2);
    const [left, right] = this.stream.split(shard.shardId);
    this.#open.push(
      { shardId: left, keys: shard.keys.slice(0, middle) },
      { shardId: right, keys: shard.keys.slice(middle) },
    );
  }

  #merge(): void {
    const [first, second, ...rest] = this.#open;
    if (first === undefined || second === undefined) return;
    const shardId = this.stream.merge(first.shardId, second.shardId);
    this.#open = [...rest, { shardId, keys: [...first.keys, ...second.keys] }];
  }
}

function reply(
  answer: Answer,
  batch: readonly string[],
  complete: (records: readonly string[]) => void,
): InvocationResult {
  if (answer.kind === 'throttled') return { kind: 'throttled', message: 'not now' };
  if (answer.kind === 'throws') {
    return { kind: 'functionError', functionError: 'Unhandled', message: 'threw' };
  }
  if (answer.kind === 'badItem') {
    return { kind: 'ok', response: failedItems(batch.at(-1), 'unknown') };
  }
  const done = answer.kind === 'checkpoint' ? answer.at % batch.length : batch.length;
  complete(batch.slice(0, done));
  return { kind: 'ok', response: failedItems(...batch.slice(done).toReversed()) };
}

describe('an event source with random responses, crashes, splits, and merges', () => {
  it('processes or discards every record and keeps the order of the records of a key', async () => {
    await fc.assert(
      fc.asyncProperty(steps, answers, settings, async (script, stream, properties) => {
        const world = new World(stream[Symbol.iterator](), properties);
        for (const step of script) await world.take(step);
        await world.finish();
        const lost = [...world.put.values()].flat().filter((record) => !world.done.has(record));
        if (lost.length > 0) throw new Error(`lost: ${lost.join()}`);
      }),
      { numRuns: 150 },
    );
  });
});
