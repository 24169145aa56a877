import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { defineModel } from '../../src/core/model/define-model.ts';
import { type Model, reject } from '../../src/core/model/model.ts';
import { fitIntoAnswer } from '../../src/model-runtime/answer-size.ts';
import { handleModelRequest } from '../../src/model-runtime/model-handler.ts';
import type { EventOutcome, ModelAnswer } from '../../src/model-runtime/protocol.ts';
import { EventStreamInMemory } from '../support/aws-in-memory/event-stream-in-memory.ts';
import { InstancesInMemory } from '../support/aws-in-memory/instances-in-memory.ts';
import { NotifierInMemory } from '../support/aws-in-memory/notifier-in-memory.ts';
import { placed } from '../support/data/events.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** The maximum size of a response of a Lambda function, in bytes. */
const sixMegabytes = 6 * 1024 * 1024;
const bytesOf = (answer: object) => Buffer.byteLength(JSON.stringify(answer));

/** A model that rejects events of one type and fails on the other type, with a very long reason. */
const wordy = defineModel({
  id: 'counter',
  title: 'Wordy',
  statuses: ['Open'],
  events: { refused: v.unknown(), failed: v.unknown() },
  initial: () => ({}),
  transition({ type }) {
    const reason = '\u0001'.repeat(20_000);
    if (type === 'failed') throw new Error(reason);
    return reject(reason);
  },
  describe: () => ({ status: 'Open' }),
}) as unknown as Model;

describe("the response of a model's Lambda function", () => {
  it.each([
    ['rejects', 'refused'],
    ['fails on', 'failed'],
  ])('stays under 6 MB if the model %s 500 events with long reasons', async (_, type) => {
    const clock = new ManualClock();
    const { store, rows } = new InstancesInMemory(clock);
    const events = Array.from({ length: 500 }, (_, n) => placed(n, { type, transaction: `T${n}` }));
    const answer = (await handleModelRequest(
      {
        model: wordy,
        store,
        rows,
        stream: new EventStreamInMemory(),
        notifier: new NotifierInMemory(),
        clock,
      },
      { op: 'transition', events },
    )) as ModelAnswer;
    expect(answer.outcomes).toHaveLength(500);
    expect(bytesOf(answer)).toBeLessThan(sixMegabytes);
  });

  it('contains reasons unchanged if they fit', () => {
    const outcomes: EventOutcome[] = [
      { outcome: 'applied' },
      { outcome: 'rejected', reason: 'x'.repeat(1_000) },
    ];
    expect(fitIntoAnswer(outcomes)).toEqual(outcomes);
  });

  it('stays under 6 MB for as many events as fit into a request, regardless of their reasons', () => {
    const reason = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 2_000, size: 'max' }),
      fc.constant('\u0001'.repeat(500) + 'x'.repeat(500)),
      fc.constant('滿'.repeat(1_500)),
    );
    const outcome = reason.map(
      (text): EventOutcome => ({ outcome: 'failed', fault: 'instance', reason: text }),
    );
    fc.assert(
      fc.property(fc.array(outcome, { minLength: 1, maxLength: 20 }), (some) => {
        const outcomes = Array.from({ length: 25_000 }, (_, n) => some[n % some.length]!);
        const answer = { outcomes: fitIntoAnswer(outcomes) };
        expect(answer.outcomes).toHaveLength(outcomes.length);
        expect(bytesOf(answer)).toBeLessThan(sixMegabytes);
      }),
      { numRuns: 3 },
    );
  });
});
