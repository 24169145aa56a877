import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import {
  itemBytes,
  maximumItemBytes,
  maximumSortKeyBytes,
} from '../../../src/aws/dynamodb/item-size.ts';
import { type Effect, emit, startTimer } from '../../../src/core/effects/effect.ts';
import { defineModel } from '../../../src/core/model/define-model.ts';
import { accept, type Model } from '../../../src/core/model/model.ts';
import { instanceIndexes } from '../../support/aws-in-memory/instances-in-memory.ts';
import { itemBytes as billedBytes } from '../../support/item-size.ts';
import { Pipeline, type PipelineEvent } from '../../support/service/pipeline.ts';

/** Text that compresses poorly. */
const noise = randomBytes(300 * 1024).toString('base64');
/** Milestones that bring a description close to its maximum size. */
const milestones = Array.from({ length: 27 }, (_, i) => ({
  id: String(i).padEnd(256, 'm'),
  label: 'Reached',
}));

interface Filling {
  /** The index in `noise` where the text of the state starts. */
  readonly from: number;
  readonly bytes: number;
  /** The number of values into which the text is split. */
  readonly parts: number;
  readonly timers: number;
  readonly emitted: number;
  readonly keys: readonly string[];
}

/** A model whose events determine the sizes of its state, timers, keys, and effects. */
const filled = (isSensitive: boolean): Model =>
  defineModel({
    id: 'm'.repeat(64),
    title: 'Filled',
    statuses: ['滿'.repeat(256)],
    milestones,
    events: { filled: v.custom<Filling>(() => true) },
    ...(isSensitive ? { sensitive: { state: ['parts.*'], events: { filled: ['from'] } } } : {}),
    initial: () => ({ parts: [] as string[], keys: [] as readonly string[] }),
    transition({ data, time }) {
      const { from, bytes, parts, timers, emitted, keys } = data;
      const length = Math.ceil(bytes / parts);
      const cut = Array.from({ length: parts }, (_, i) =>
        noise.slice(from + i * length, from + (i + 1) * length),
      );
      const effects: Effect[] = Array.from({ length: timers }, (_, i) =>
        startTimer(String(i).padEnd(60, '⏰'), time),
      );
      if (emitted > 0)
        effects.push(
          emit({ model: 'other', transaction: 'T', type: 'told', data: noise.slice(0, emitted) }),
        );
      return accept({ parts: cut, keys }, ...effects);
    },
    describe: () => ({
      status: '滿'.repeat(256),
      milestones: milestones.map(({ id }) => ({ id })),
    }),
    keys: ({ keys }) => ({ name: keys }),
  }) as unknown as Model;

const character = fc.constantFrom('a', '#', 'é', '滿', '🚲', '\u{10ffff}', '"');
/** A name of any allowed length. */
const name = fc.oneof(
  fc.string({ unit: character, minLength: 1, maxLength: 20 }),
  fc.string({ unit: character, minLength: 250, maxLength: 256 }),
  fc.constant('🚲'.repeat(256)),
);
/** An event id. It can contain control characters, which JSON encodes in six bytes each. */
const id = fc.oneof(
  name,
  fc.nat(9_999).map((n) => String(n).padEnd(256, '\u0001')),
);
const filling: fc.Arbitrary<Filling> = fc.record({
  from: fc.nat(90_000),
  bytes: fc.oneof(
    fc.constantFrom(0, 100, 8_000, 9_000, 40_000, 150_000, 220_000, 305_000, 307_000, 310_000),
    fc.nat(310_000),
  ),
  parts: fc.constantFrom(1, 1, 10, 1_000),
  timers: fc.constantFrom(0, 0, 1, 300, 1_000, 1_999),
  emitted: fc.constantFrom(0, 0, 9_000, 200_000),
  keys: fc.uniqueArray(
    fc.oneof(
      fc.string({ unit: character, minLength: 1, maxLength: 10 }),
      fc.constantFrom('滿'.repeat(256), '\u0001'.repeat(256)),
    ),
    { maxLength: 10 },
  ),
});

describe('events within the limits of the contract', () => {
  it.each([
    ['', false],
    [', even if the model has sensitive fields', true],
  ])('produce only items that DynamoDB accepts%s', async (_, sealed) => {
    const batch = fc.tuple(name, fc.array(fc.tuple(id, filling), { minLength: 1, maxLength: 6 }));
    await fc.assert(
      fc.asyncProperty(batch, async ([transaction, events]) => {
        const pipeline = new Pipeline(filled(sealed));
        const put = events.map(
          ([each, data]): PipelineEvent => ({ transaction, type: 'filled', data, id: each }),
        );
        expect(await pipeline.deliver(pipeline.records(...put))).toHaveLength(0);
        expect(await pipeline.queue(transaction)).toEqual([]);
        const history = await pipeline.history(transaction);
        expect(history).toHaveLength(new Set(events.map(([each]) => each)).size);
        for (const item of pipeline.database.items('instances')) {
          expect(billedBytes(item)).toBeLessThanOrEqual(maximumItemBytes);
          for (const { partition, sort } of [
            { partition: 'pk', sort: 'sk' },
            ...Object.values(instanceIndexes),
          ]) {
            expect(Buffer.byteLength(item[partition]?.S ?? '')).toBeLessThanOrEqual(2_048);
            expect(Buffer.byteLength(item[sort]?.S ?? '')).toBeLessThanOrEqual(maximumSortKeyBytes);
          }
        }
      }),
      { numRuns: 25 },
    );
  });
});

it('itemBytes never returns less than the size that DynamoDB calculates', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }).map((S) => ({ S })),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => ({ N: String(n) })),
    fc.uint8Array().map((B) => ({ B })),
    fc.boolean().map((BOOL) => ({ BOOL })),
    fc.constant({ NULL: true as const }),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), value), (item) => {
      expect(itemBytes(item)).toBeGreaterThanOrEqual(billedBytes(item));
    }),
  );
});
