import { describe, expect, it } from 'vitest';
import type { Model } from '../../src/core/model/model.ts';
import { readDeadlines } from '../../src/model-runtime/read-deadlines.ts';
import { InstancesInMemory } from '../support/aws-in-memory/instances-in-memory.ts';
import { placed } from '../support/data/events.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { counter } from '../support/models/counter-model.ts';
import { ModelLambdas } from '../support/models/model-lambdas.ts';

const clock = new ManualClock();
const request = { op: 'deadlines', transaction: 'T1', now: '2026-01-02T00:00:00.000Z' } as const;

function failing(state: unknown): never {
  throw new Error(`cannot read ${JSON.stringify(state)}`);
}

/** The response for an instance that `counter` applied an event to. */
async function deadlinesOf(model: Model) {
  const instances = new InstancesInMemory(clock);
  const events = [placed(1, { id: 'e1', data: { n: 7 } })];
  await new ModelLambdas(counter, instances, clock).transition('', { op: 'transition', events });
  return readDeadlines({ model, store: instances.store }, request);
}

// Lambda logs errors that a handler throws, and the messages can quote the state.
describe('the response with the timelines of deadlines', () => {
  it("contains the reason if the model's `deadlines` function fails", async () => {
    expect(await deadlinesOf({ ...counter, deadlines: failing })).toEqual({
      failure:
        'model counter failed to compute the deadlines, in deadlines: cannot read {"sum":7,"log":["e1"]}',
    });
  });

  it("contains the reason if the model's `migrate` function fails", async () => {
    const newer: Model = { ...counter, version: 2, migrate: failing, deadlines: () => ({}) };
    expect(await deadlinesOf(newer)).toEqual({
      failure:
        'model counter failed to migrate a state of version 1 to version 2: cannot read {"sum":7,"log":["e1"]}',
    });
  });

  it('omits the message of the error if the model has sensitive fields', async () => {
    const sensitive = { state: ['log'] };
    expect(await deadlinesOf({ ...counter, sensitive, deadlines: failing })).toEqual({
      failure: 'model counter failed to compute the deadlines, in deadlines: Error',
    });
  });
});
