import { inspect } from 'node:util';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { Deadline } from '../../../src/common/deadline.ts';
import { timerEvent } from '../../../src/core/effects/timer.ts';
import { MilepostError } from '../../../src/core/errors.ts';
import type { TrackedEvent } from '../../../src/core/event/event.ts';
import type { Model } from '../../../src/core/model/model.ts';
import { invokeModel } from '../../../src/dispatcher/invoke-model.ts';
import type { PositionedEvent } from '../../../src/model-runtime/protocol.ts';
import type { FunctionResponse } from '../../../src/model-runtime/remote/function-port.ts';
import { ModelFunction } from '../../../src/model-runtime/remote/model-function.ts';
import { SealingStore } from '../../../src/model-runtime/sealing/sealing-store.ts';
import { transition } from '../../../src/model-runtime/transition.ts';
import { EventStreamInMemory } from '../../support/aws-in-memory/event-stream-in-memory.ts';
import { InstancesInMemory } from '../../support/aws-in-memory/instances-in-memory.ts';
import { NotifierInMemory } from '../../support/aws-in-memory/notifier-in-memory.ts';
import { dataKeysInMemory } from '../../support/aws-in-memory/stores-in-memory.ts';
import { placed } from '../../support/data/events.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { counter } from '../../support/models/counter-model.ts';
import { type Answer, ModelAsFunction } from '../../support/models/model-as-function.ts';
import { ModelLambdas } from '../../support/models/model-lambdas.ts';
import { reminder } from '../../support/models/reminder-model.ts';
import { skipSleep } from '../../support/skip-sleep.ts';

const sleeps: number[] = [];
const clock = {
  now: () => Date.UTC(2026, 0, 1),
  sleep: (ms: number, signal?: AbortSignal) => {
    if (!signal) sleeps.push(ms);
    return skipSleep(ms, signal);
  },
};

/** A tracker with one model, whose code is in TypeScript or in a model function. */
class Place {
  readonly instances = new InstancesInMemory(clock);
  readonly stream = new EventStreamInMemory();
  readonly keys = dataKeysInMemory(clock);
  readonly function: ModelAsFunction;
  readonly model: ModelFunction;

  constructor(model: Model = counter, canSeal = false) {
    this.function = new ModelAsFunction(model);
    this.model = new ModelFunction(this.function, { id: model.id, canSeal, clock });
  }

  apply(...events: PositionedEvent[]) {
    return this.by(this.model, events);
  }

  by(model: Model | ModelFunction, events: readonly PositionedEvent[]) {
    const { keys, stream } = this;
    const store = new SealingStore(this.instances.store, keys, model);
    return transition({ model, store, stream, notifier: new NotifierInMemory(), clock }, events);
  }

  newest(transaction = 'T1') {
    return this.instances.commitsOf({ model: this.function.model.id, transaction }).at(-1);
  }
}

let place: Place;
beforeEach(() => {
  place = new Place();
  sleeps.length = 0;
});

const added = (at: number, n: number, transaction = 'T1') =>
  placed(at, { transaction, data: { n } });

describe('a model function', () => {
  it('receives one request for all instances of a batch, with their states', async () => {
    await place.apply(added(1, 4, 'A'), added(2, 5, 'B'));
    expect(await place.apply(added(3, 8, 'A'), added(4, -1, 'B'))).toEqual([
      { outcome: 'applied' },
      { outcome: 'rejected', reason: 'below zero' },
    ]);
    expect(place.function.folds).toHaveLength(2);
    expect(place.function.folds[1]).toMatchObject({
      protocol: 1,
      op: 'fold',
      instances: [
        {
          before: { state: { sum: 4 }, modelVersion: 1 },
          events: [{ type: 'added', data: { n: 8 } }],
        },
        { before: { state: { sum: 5 }, modelVersion: 1 }, events: [{ data: { n: -1 } }] },
      ],
    });
    expect(place.newest('A')).toMatchObject({ version: 2, description: { status: 'High' } });
  });

  it('results in the same history as the same model in TypeScript', async () => {
    const counting = fc.record({
      transaction: fc.constantFrom('A', 'B'),
      type: fc.constantFrom('added', 'added', 'failed', 'filled', 'unknown'),
      data: fc.record({ n: fc.integer({ min: -3, max: 9 }), bytes: fc.constantFrom(1, 310_000) }),
    });
    const batches = fc.array(fc.array(counting, { minLength: 1, maxLength: 8 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(batches, async (drawn) => {
        const [here, there] = [new Place(), new Place()];
        let at = 0;
        for (const batch of drawn) {
          const events = batch.map((more) => placed(++at, { id: `e${at}`, ...more }));
          const outcomes = (await here.by(counter, events)).map(({ outcome }) => outcome);
          const same = (await there.apply(...events)).map(({ outcome }) => outcome);
          expect(same).toEqual(outcomes);
        }
        for (const transaction of ['A', 'B']) {
          const entries = (whose: Place) =>
            whose.instances
              .commitsOf({ model: 'counter', transaction })
              .flatMap((commit) => commit.entries)
              .map(({ event, outcome, state, status }) => [event.id, outcome, state, status]);
          expect(entries(there)).toEqual(entries(here));
        }
      }),
      { numRuns: 20 },
    );
  });

  it('does not receive the event of a timer that an earlier event of the batch cancels', async () => {
    place = new Place(reminder);
    const asked = (at: number, data: object) =>
      placed(at, { model: 'reminder', type: 'asked', data: data as never });
    await place.apply(
      asked(1, { start: { a: '2026-01-01T00:00:01Z', b: '2026-01-01T00:00:02Z' } }),
    );
    const fired = place.newest()!.timers.map((timer, index) => {
      const key = { model: 'reminder', transaction: 'T1' };
      const { id, source, type, time, data } = timerEvent(key, timer) as unknown as TrackedEvent;
      return placed(10 + index, { ...key, id, source, type, time, data });
    });
    const outcomes = await place.apply(asked(2, { cancel: ['b'] }), ...fired, asked(20, {}));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([
      'applied',
      'applied',
      'duplicate',
      'applied',
    ]);
    expect(JSON.parse(place.newest()!.state)).toEqual({ fired: ['a'] });
  });

  it('receives the remaining events again after it returns steps for only some events', async () => {
    place.function.change = ({ instances }) => instances.forEach(({ steps }) => steps.splice(1));
    const outcomes = await place.apply(added(1, 1), added(2, 2), added(3, 3));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['applied', 'applied', 'applied']);
    expect(place.function.folds).toHaveLength(3);
    expect(JSON.parse(place.newest()!.state)).toMatchObject({ sum: 6 });
  });

  it('receives requests within the size limit of Lambda, regardless of the size of the states', async () => {
    const names = Array.from({ length: 18 }, (_, index) => `T${index}`);
    const filled = names.map((transaction, index) =>
      placed(index, { transaction, type: 'filled', data: { bytes: 290_000 } }),
    );
    await place.apply(...filled);
    const outcomes = await place.apply(...names.map((name, index) => added(100 + index, 1, name)));
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['applied']));
    expect(Math.max(...place.function.questions.map(({ length }) => length))).toBeLessThan(6e6);
    expect(place.function.folds.length).toBeGreaterThan(2);
  });

  it('makes progress with each invocation, even if it is too slow for all requests of a batch', async () => {
    const names = Array.from({ length: 36 }, (_, index) => `T${index}`);
    const filled = names.map((transaction, index) =>
      placed(index, { transaction, type: 'filled', data: { bytes: 290_000 } }),
    );
    await place.apply(...filled);
    const slow = new ManualClock();
    let isLast = false;
    const port = {
      invoke: async (text: string) => {
        // Two requests take 20 of the 30 seconds of an invocation.
        await slow.sleep(10_000);
        return place.function.invoke(text);
      },
    };
    const model = new ModelFunction(port, { id: 'counter', canSeal: false, clock: slow });
    const events = names.map((name, index) => added(100 + index, 1, name));
    const applied: number[] = [];
    for (let invocation = 0; invocation < 3 && !isLast; invocation++) {
      const { store } = place.instances;
      const around = { model, store, stream: place.stream, notifier: new NotifierInMemory() };
      const times = { until: slow.now() + 18_000, answerBy: Deadline.in(slow, 27_000) };
      const outcomes = await slow.runUntil(transition({ ...around, clock: slow }, events, times));
      isLast = outcomes.every(({ outcome }) => outcome !== 'failed');
      applied.push(names.filter((name) => place.newest(name)!.version > 1).length);
    }
    expect(applied[0]).toBeGreaterThan(0);
    expect(applied.at(-1)).toBe(names.length);
    expect(isLast).toBe(true);
  });

  it('migrates a state from another version even if it rejects the event, and causes the event to fail if it returns no migrated state', async () => {
    await place.apply(added(1, 4));
    const newer: Model = { ...counter, version: 2 };
    const [moved, still] = [new ModelAsFunction(newer), new ModelAsFunction(newer)];
    moved.change = ({ instances }) => {
      Object.assign(instances[0]!.start!, { state: { sum: 40, log: [] } });
    };
    const model = new ModelFunction(moved, { id: 'counter', canSeal: false, clock });
    const refused = placed(2, { data: { n: -1 } });
    expect(await place.by(model, [refused])).toMatchObject([{ outcome: 'rejected' }]);
    expect(place.newest()).toMatchObject({ modelVersion: 2, state: '{"sum":40,"log":[]}' });

    still.change = ({ instances }) => delete instances[0]!.start;
    await place.apply(added(3, 4, 'T2'));
    const silent = new ModelFunction(still, { id: 'counter', canSeal: false, clock });
    expect(await place.by(silent, [added(4, 1, 'T2')])).toMatchObject([
      { outcome: 'failed', fault: 'model', reason: expect.stringContaining('version 1') },
    ]);
  });

  it('can declare a new status in the same response that uses it', async () => {
    await place.apply(added(1, 1));
    place.function.change = ({ description, instances }) => {
      Object.assign(description, { statuses: ['Low', 'High', 'New'] });
      for (const { steps } of instances)
        Object.assign(steps[0]!['after']!, { description: { status: 'New' } });
    };
    await place.apply(added(2, 1));
    expect(place.newest()).toMatchObject({ description: { status: 'New' } });
  });
});

it('events from a model function have the instance as their source, regardless of the source and id that the function returns', async () => {
  const forged = { source: 'milepost:clock', id: 'chosen', time: '2000-01-01T00:00:00.000Z' };
  const target = { model: 'other', transaction: 'T2', type: 'timer.fired', data: {} };
  place.function.change = ({ instances }) =>
    Object.assign(instances[0]!.steps[0]!, { effects: [{ kind: 'emit', ...target, ...forged }] });
  expect(await place.apply(added(1, 1))).toEqual([{ outcome: 'applied' }]);
  expect(place.stream.events).toEqual([
    expect.objectContaining({ source: 'milepost:counter/T1', id: '1.0.0', type: 'timer.fired' }),
  ]);
});

describe("a model function's invalid response", () => {
  const after = (of: Answer, more: object) =>
    Object.assign(of.instances[0]!.steps[0]!['after']!, more);
  const wrong: [name: string, change: (answer: Answer) => void, reason: string][] = [
    [
      'a status that is not declared',
      (a) => after(a, { description: { status: 'Odd' } }),
      'not declared',
    ],
    ['no description', (a) => after(a, { description: undefined }), 'after.description'],
    ['no state', (a) => after(a, { state: undefined }), 'after.state'],
    ['wrong keys', (a) => after(a, { keys: { 'not a name': 'x' } }), 'not a valid key name'],
    [
      'wrong effects',
      (a) => Object.assign(a.instances[0]!.steps[0]!, { effects: [{ kind: 'odd' }] }),
      'invalid effects',
    ],
    ['an empty step', (a) => a.instances[0]!.steps.splice(0, 1, {}), 'accepted'],
    ['no steps', (a) => a.instances[0]!.steps.splice(0), 'no step for the event'],
    [
      'too many steps',
      (a) => a.instances[0]!.steps.push({ accepted: false, reason: 'x' }),
      '2 steps for 1 events',
    ],
    ['no start', (a) => delete a.instances[0]!.start, 'no `start`'],
    ['null for an instance', (a) => a.instances.splice(0, 1, null as never), 'invalid response'],
    [
      'a fault',
      (a) => a.instances.splice(0, 1, { steps: [], fault: 'no such book' }),
      'no such book',
    ],
    [
      'a fault with a position',
      (a) =>
        a.instances.splice(0, 1, {
          ...{ steps: [], fault: "KeyError: 'due'", faultPlace: 'loan.py:42 in describe' },
        }),
      ": KeyError: 'due' (loan.py:42 in describe)",
    ],
  ];

  it.each(wrong)(
    'that contains %s fails only the events of the affected instance',
    async (_, change, reason) => {
      place.function.change = change;
      expect(await place.apply(added(1, 1, 'A'), added(2, 1, 'B'))).toEqual([
        { outcome: 'failed', fault: 'model', reason: expect.stringContaining(reason) },
        { outcome: 'applied' },
      ]);
      expect(place.instances.commitsOf({ model: 'counter', transaction: 'A' })).toEqual([]);
    },
  );

  it('does not discard the steps before an invalid step', async () => {
    place.function.change = ({ instances }) => instances[0]!.steps.splice(1, 1, { accepted: 1 });
    const outcomes = await place.apply(added(1, 1), added(2, 1));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['applied', 'failed']);
  });

  it('is rejected with the advice to send a string if it contains an inexact number', async () => {
    const text = JSON.stringify({
      protocol: 1,
      description: { id: 'counter', title: 'C', statuses: ['Low'], eventTypes: ['added'] },
      instances: [
        {
          start: null,
          steps: [{ accepted: true, after: { state: 0, description: { status: 'Low' } } }],
        },
      ],
    });
    const start = '{"state":12345678901234567890,"description":{"status":"Low"}}';
    place.function.instead = () => ({ kind: 'answered', text: text.replace('null', start) });
    expect(await place.apply(added(1, 1))).toEqual([
      { outcome: 'failed', fault: 'model', reason: expect.stringContaining('send it as a string') },
    ]);
  });

  const whole: [name: string, change: (answer: Answer) => void, reason: RegExp][] = [
    ['another protocol version', (a) => (a.protocol = 2), /protocol must be 1/],
    ['an empty list of instances', (a) => (a.instances = []), /returned results for 0 instances/],
    ['no description', (a) => (a.description = {}), /description\.id/],
    [
      'a description without statuses',
      (a) => (a.description['statuses'] = []),
      /description\.statuses/,
    ],
    ['no list of instances', (a) => delete (a as Partial<Answer>).instances, /instances/],
  ];

  it.each(whole)('that contains %s fails as a whole', async (_, change, reason) => {
    place.function.change = change;
    const events = [added(1, 1, 'A'), added(2, 1, 'B')];
    await expect(place.apply(...events)).rejects.toMatchObject({ code: 'model-fault' });
    expect(await place.apply(events[0]!)).toEqual([
      { outcome: 'failed', fault: 'model', reason: expect.stringMatching(reason) },
    ]);
  });

  it('that describes another model is rejected with `bad-model`', async () => {
    place.function.change = ({ description }) => (description['id'] = 'other');
    await expect(place.model.describe()).rejects.toMatchObject({ code: 'bad-model' });
  });
});

describe('a failing model function', () => {
  it('receives smaller requests until the instance that it fails on is isolated', async () => {
    const models = new ModelLambdas(place.model, place.instances, clock);
    place.function.instead = ({ instances }) =>
      instances.some(({ events }) => events.some(({ type }) => type === 'failed'))
        ? { kind: 'failed', error: 'Sandbox.Timedout', message: 'Task timed out' }
        : undefined;
    const events = ['A', 'B', 'C', 'D'].map((name, index) => added(index, 1, name));
    const poison = placed(9, { transaction: 'B', type: 'failed', data: {} });
    const outcomes = await invokeModel(models, 'arn', [...events, poison, added(10, 1, 'D')], {
      deadline: Deadline.none(clock),
    });
    const failed = {
      outcome: 'failed',
      fault: 'model',
      reason: expect.stringContaining('Task timed out'),
    };
    expect(
      outcomes.filter(({ outcome }) => outcome !== 'applied' && outcome !== 'duplicate'),
    ).toEqual([failed]);
    expect(outcomes[4]).toEqual(failed);
    expect(place.newest('D')?.state).toContain('"sum":2');
  });

  const quoted = 'Ada Lovelace';
  const quoting: [name: string, response: FunctionResponse, summary: string][] = [
    [
      'throws an error',
      { kind: 'failed', error: 'ValueError', message: `not a number: ${quoted}` },
      'failed: ValueError',
    ],
    [
      'returns text that is not JSON',
      { kind: 'answered', text: quoted },
      'returned an unreadable response',
    ],
    [
      'returns an invalid response',
      { kind: 'answered', text: JSON.stringify(quoted) },
      'returned an invalid response',
    ],
  ];

  it.each(quoting)(
    'that %s for several events causes an error that does not quote the events, because Lambda logs the error',
    async (_, response, summary) => {
      place.function.instead = () => response;
      const events = [added(1, 1, 'A'), added(2, 1, 'B')];
      const thrown = await place.apply(...events).catch((error: unknown) => error);
      expect(thrown).toEqual(
        new MilepostError('model-fault', `the function of model counter ${summary}`),
      );
      expect(inspect(thrown, { depth: null })).not.toContain('Ada');
      expect(await place.apply(events[0]!)).toEqual([
        { outcome: 'failed', fault: 'model', reason: expect.stringContaining('Ada') },
      ]);
    },
  );

  it('causes service failures for its events if it is throttled', async () => {
    place.function.instead = () => ({ kind: 'unavailable', reason: 'Rate exceeded' });
    expect(await place.apply(added(1, 1))).toEqual([
      { outcome: 'failed', fault: 'service', reason: 'Rate exceeded' },
    ]);
  });

  it('receives the describe request again if it was unavailable immediately after a deployment', async () => {
    let left = 2;
    place.function.instead = () =>
      left-- > 0 ? { kind: 'unavailable', reason: 'not authorized' } : undefined;
    expect(await place.model.describe()).toMatchObject({
      id: 'counter',
      statuses: ['Low', 'High'],
    });
    expect(sleeps).toEqual([3_000, 3_000]);
    left = 99;
    await expect(place.model.describe()).rejects.toMatchObject({ code: 'busy' });
  });
});

describe('a model function that cannot describe its model', () => {
  // The tracker has data keys, so the model may have sensitive fields. The request contains no events.
  beforeEach(() => {
    place = new Place(counter, true);
  });

  it('has an error that contains its message', async () => {
    const message = "No module named 'numpy'";
    place.function.instead = () => ({ kind: 'failed', error: 'ModuleNotFoundError', message });
    await expect(place.model.describe()).rejects.toThrow(
      `the function of model counter failed: ModuleNotFoundError: ${message}`,
    );
  });

  it('has an error that states which member of its response is invalid', async () => {
    place.function.change = ({ description }) => {
      description['statuses'] = 'Open';
    };
    await expect(place.model.describe()).rejects.toThrow(
      'the function of model counter returned an invalid response: description.statuses: ',
    );
  });

  it('has an error that states why its response is not JSON', async () => {
    place.function.instead = () => ({ kind: 'answered', text: 'hello' });
    await expect(place.model.describe()).rejects.toThrow(
      'the function of model counter returned an unreadable response: not JSON: ',
    );
  });
});

describe('a model function with text for customers', () => {
  const labels = { de: { High: 'Hoch' } };

  it('has labels and references like a model in TypeScript', async () => {
    const describeCounter = (state: never) => ({ ...counter.describe(state), reference: 'A-7' });
    place = new Place({ ...counter, labels, describe: describeCounter });
    expect(await place.model.describe()).toMatchObject({ labels });
    await place.apply(added(1, 1));
    expect(place.newest()?.description).toMatchObject({ reference: 'A-7' });
  });

  it('is rejected if its labels contain a language that customer pages do not have', async () => {
    place = new Place({ ...counter, labels: { nl: labels.de } as Model['labels'] });
    await expect(place.model.describe()).rejects.toThrow(
      '`labels` contains the unsupported language "nl"',
    );
  });
});

describe('a model function with sensitive fields', () => {
  const secret: Model = {
    ...counter,
    sensitive: { state: ['filler'], events: { added: ['who'] } },
  };
  const told = placed(1, { data: { n: 1, who: 'Wilma' } });

  it('has its sensitive fields sealed when they are stored', async () => {
    place = new Place(secret, true);
    await place.apply(told, placed(2, { type: 'filled', data: { bytes: 7 } }));
    const stored = JSON.stringify([...place.instances.histories]);
    expect(stored).not.toContain('Wilma');
    expect(stored).not.toContain('xxxxxxx');
    await place.apply(added(3, 1));
    expect(place.function.folds.at(-1)).toMatchObject({
      instances: [{ before: { state: { filler: 'xxxxxxx' } } }],
    });
  });

  it('is rejected if the tracker has no data keys', async () => {
    place = new Place(secret);
    await expect(place.apply(told)).rejects.toThrow('personalData: true');
    await expect(place.model.describe()).rejects.toMatchObject({ code: 'bad-model' });
  });

  it('cannot put personal data into a stored reason', async () => {
    place = new Place(secret, true);
    place.function.instead = () => ({ kind: 'failed', error: 'KeyError', message: 'Wilma' });
    const [first] = await place.apply(told);
    expect(first).toMatchObject({ fault: 'model', reason: expect.stringContaining('KeyError') });
    place.function.instead = () => undefined;
    place.function.change = ({ instances }) =>
      (instances[0] = {
        ...{ steps: [], fault: 'Wilma', faultPlace: 'Wilma.py:1' },
      });
    const [second] = await place.apply(told);
    expect(JSON.stringify([first, second])).not.toContain('Wilma');
  });
});
