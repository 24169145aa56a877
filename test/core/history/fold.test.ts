import type { StandardSchemaV1 } from '@standard-schema/spec';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { cancelTimer, emit, notify, startTimer } from '../../../src/core/effects/effect.ts';
import { timerFired } from '../../../src/core/effects/timer.ts';
import type { TrackedEvent } from '../../../src/core/event/event.ts';
import { type FoldStep, foldEvent } from '../../../src/core/history/fold.ts';
import {
  maximumStateBytes,
  restoreSnapshot,
  type Snapshot,
} from '../../../src/core/history/snapshot.ts';
import { defineModel } from '../../../src/core/model/define-model.ts';
import { accept, type Model, reject } from '../../../src/core/model/model.ts';
import { event } from '../../support/data/events.ts';
import { counter } from '../../support/models/counter-model.ts';
import { thrownBy } from '../../support/thrown-by.ts';

/** The counter model with some functions replaced by invalid functions. */
const broken = (parts: object): Model => ({ ...counter, ...parts });

/** Returns the error from the model, or undefined if the model does not fail. */
const faultOf = (model: Model, before?: Snapshot) =>
  thrownBy(() => foldEvent(model, before, event({ id: 'e1' })));

describe('foldEvent', () => {
  it('starts from the initial state and continues from the previous state', () => {
    const first = foldEvent(counter, undefined, event({ id: 'a', data: { n: 4 } }));
    expect(first).toMatchObject({
      outcome: 'applied',
      reason: null,
      data: '{"n":4}',
      after: { state: { sum: 4, log: ['a'] }, json: '{"sum":4,"log":["a"]}' },
    });
    const second = foldEvent(counter, first.after, event({ id: 'b', data: { n: 6 } }));
    expect(second.after).toMatchObject({ state: { sum: 10 }, description: { status: 'High' } });
  });

  it('tells the model whether an event is the first of its instance', () => {
    const asked: boolean[] = [];
    const model = broken({
      transition(_: unknown, state: unknown, { first }: { first: boolean }) {
        asked.push(first);
        return accept(state);
      },
    });
    const { after } = foldEvent(model, undefined, event());
    foldEvent(model, after, event());
    expect(asked).toEqual([true, false]);
  });

  it('starts an instance with the first event that is applied', () => {
    const begun = { id: 'begun', at: '2026-01-01T00:00:00.000Z', expectedBy: undefined };
    const model = broken({
      milestones: [{ id: 'begun', label: 'Begun' }],
      describe: () => ({ status: 'Low', milestones: [begun] }),
    });
    const before = { description: { status: 'Low' }, isStarted: false };
    const first = foldEvent(model, undefined, event({ data: { n: -1 } }));
    expect(first.after).toMatchObject(before);
    expect(first.after.description).toEqual(before.description);
    const second = foldEvent(model, first.after, event({ data: { n: -1 } }));
    expect(second.after).toEqual(first.after);
    const third = foldEvent(model, second.after, event({ data: { n: 1 } }));
    expect(third.after).toMatchObject({
      description: { status: 'Low', milestones: [{ id: 'begun', at: begun.at }] },
      isStarted: true,
    });
    const fourth = foldEvent(model, third.after, event({ data: { n: -1 } }));
    expect(fourth.after).toEqual(third.after);
  });

  it.each([
    ['a number that makes the sum negative', { n: -1 }, 'added', 'below zero'],
    ['data of the wrong type', { n: 'x' }, 'added', 'data: n: Invalid type'],
    ['data that lacks a field', {}, 'added', 'data: n: '],
    ['an unknown event type', {}, 'removed', 'does not accept events of type removed'],
    [
      'a type that is the name of an inherited method',
      {},
      'toString',
      'does not accept events of type toString',
    ],
  ])('keeps the state when it rejects an event with %s', (_, data, type, reason) => {
    const { after } = foldEvent(counter, undefined, event());
    const rejected = foldEvent(counter, after, event({ type, data }));
    expect(rejected).toMatchObject({
      outcome: 'rejected',
      reason: expect.stringContaining(reason),
    });
    expect(rejected.after).toEqual(after);
  });

  it('reports that an array is not an object, instead of missing fields and methods of the array', () => {
    const schema = v.object({ items: v.array(v.number()), map: v.optional(v.string()) });
    const model = broken({ events: { added: schema } });
    expect(foldEvent(model, undefined, event({ data: [1, 2, 3] })).reason).toBe(
      'data: Invalid type: Expected Object but received Array',
    );
  });

  it.each([
    [10, ''],
    [11, '; and 1 more issue'],
    [12, '; and 2 more issues'],
  ])(
    'lists the first ten of %i issues of the data and counts the remaining issues',
    (count, rest) => {
      const model = broken({ events: { added: v.array(v.number()) } });
      const { reason } = foldEvent(model, undefined, event({ data: Array(count).fill(null) }));
      expect(reason).toMatch(new RegExp(`^data: 0: .*; 9: [^;]*${rest}$`));
    },
  );

  it('rejects data with many invalid values under a long key', () => {
    // The text of all issues, with their paths, would be 5 GB long.
    const model = broken({ events: { added: v.record(v.string(), v.array(v.number())) } });
    const data = { ['k'.repeat(100_000)]: Array(50_000).fill('') };
    expect(foldEvent(model, undefined, event({ data })).reason).toMatch(/^data: kkk/);
  });

  it('keeps the initial state when it rejects a first event', () => {
    expect(foldEvent(counter, undefined, event({ data: { n: -1 } }))).toMatchObject({
      outcome: 'rejected',
      after: { json: '{"sum":0,"log":[]}', description: { status: 'Low' } },
    });
  });

  it('undoes changes that a model made in place before it rejected the event', () => {
    const model = broken({
      transition(_: unknown, state: { sum: number; log: string[] }) {
        state.sum = 99;
        state.log.push('changed');
        return reject('after all not');
      },
    });
    const { after } = foldEvent(counter, undefined, event({ id: 'a' }));
    expect(foldEvent(model, after, event()).after).toMatchObject({ state: { sum: 1, log: ['a'] } });
    expect(foldEvent(model, undefined, event()).after).toMatchObject({
      state: { sum: 0, log: [] },
    });
  });

  it('does not let a model change the event, so the event can be folded again', () => {
    const change = (happened: TrackedEvent) => {
      (happened.data as { n: number }).n = 7;
    };
    const model = broken({
      events: { added: v.unknown() },
      initial: (happened: TrackedEvent) => {
        change(happened);
        return { sum: 0 };
      },
      transition(happened: TrackedEvent) {
        change(happened);
        return accept({ sum: 1 });
      },
    });
    const happened = event({ data: { n: 1 } });
    const { data } = foldEvent(model, undefined, happened);
    expect(foldEvent(model, undefined, happened).data).toBe(data);
    expect(happened.data).toEqual({ n: 1 });
  });

  it('keeps only the JSON of a state, so the next event sees the stored state', () => {
    const model = broken({
      transition: () => accept({ sum: 1, gone: undefined, deep: [{ gone: undefined }] }),
    });
    const { after } = foldEvent(model, undefined, event());
    expect(after.json).toBe('{"sum":1,"deep":[{}]}');
    expect(Object.keys(after.state as object)).toEqual(['sum', 'deep']);
    expect(restoreSnapshot(after)).toEqual(after);
  });

  it('passes data parsed by the schema to the model and stores the original data', () => {
    let seen: unknown;
    const model = broken({
      events: { added: v.object({ n: v.pipe(v.string(), v.transform(Number)) }) },
      transition({ data }: TrackedEvent, state: unknown) {
        seen = data;
        return accept(state);
      },
    });
    expect(foldEvent(model, undefined, event({ data: { n: '7', more: true } })).data).toBe(
      '{"n":"7","more":true}',
    );
    expect(seen).toEqual({ n: 7 });
  });

  it('accepts a state of 300 KB and rejects a larger state', () => {
    const size = (json: string) => Buffer.byteLength(json);
    const empty = size('{"sum":0,"log":[],"filler":""}');
    const filled = (bytes: number) => event({ type: 'filled', data: { bytes } });
    const before = foldEvent(counter, undefined, filled(1)).after;
    const full = foldEvent(counter, before, filled(maximumStateBytes - empty));
    expect(full).toMatchObject({ outcome: 'applied' });
    expect(size(full.after.json)).toBe(maximumStateBytes);
    const larger = foldEvent(counter, before, filled(maximumStateBytes - empty + 1));
    expect(larger).toMatchObject({
      outcome: 'rejected',
      reason: 'the state would grow to 307201 bytes; the limit is 307200',
      after: before,
    });
  });

  it('stores milestone times in UTC, regardless of their offset', () => {
    const model = broken({
      milestones: [{ id: 'm', label: 'M' }],
      describe: () => ({
        status: 'Low',
        milestones: [{ id: 'm', at: '2026-01-01T01:00:00+01:00', expectedBy: undefined }],
      }),
    });
    expect(foldEvent(model, undefined, event()).after.description).toEqual({
      status: 'Low',
      milestones: [{ id: 'm', at: '2026-01-01T00:00:00Z' }],
    });
  });

  it('truncates a very long reason without splitting a character', () => {
    const reasonOf = (reason: string) =>
      foldEvent(broken({ transition: () => reject(reason) }), undefined, event()).reason!;
    expect(reasonOf('x'.repeat(1000))).toBe('x'.repeat(1000));
    expect(reasonOf('x'.repeat(5000))).toBe(`${'x'.repeat(1000)}…`);
    expect(reasonOf(`${'x'.repeat(999)}😀😀`).isWellFormed()).toBe(true);
    expect(reasonOf('\ud800').isWellFormed()).toBe(true);
  });
});

describe('foldEvent with a failing model', () => {
  const asyncSchema: StandardSchemaV1 = {
    '~standard': { version: 1, vendor: 'test', validate: (value) => Promise.resolve({ value }) },
  };
  const throwing = () => {
    throw new Error('a bug');
  };
  /** A schema that validates like Zod: if a function in the schema throws, Zod validates again, asynchronously. */
  const zodSchema = (safeParse: () => never) => ({
    safeParse,
    '~standard': { version: 1, vendor: 'zod', validate: async () => throwing() } as const,
  });
  const parsingAsync = () => {
    throw new Error('Encountered Promise during synchronous parse. Use .parseAsync() instead.');
  };
  const throwingText = () => {
    // oxlint-disable-next-line typescript/only-throw-error -- a model can throw any value
    throw 'no error';
  };
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  const described = (description: unknown) => ({ describe: () => description });

  it.each<[what: string, parts: object, message: string]>([
    ['initial throws', { initial: throwing }, 'a bug'],
    ['transition throws', { transition: throwing }, 'a bug'],
    ['describe throws', { describe: throwing }, 'a bug'],
    ['transition throws a value that is not an error', { transition: throwingText }, ': no error'],
    ['transition returns nothing', { transition: () => undefined }, 'must return accept'],
    ['transition returns a state', { transition: () => ({ sum: 1 }) }, 'must return accept'],
    [
      'transition rejects without a reason',
      { transition: () => ({ accepted: false }) },
      'must return',
    ],
    [
      'transition rejects with a reason that is not text',
      { transition: () => ({ accepted: false, reason: { code: 7 } }) },
      'must return',
    ],
    [
      'transition accepts without a state',
      { transition: () => ({ accepted: true }) },
      'must return',
    ],
    ['transition is asynchronous', { transition: async () => accept({}) }, 'must not be asynch'],
    [
      'transition returns a promise that rejects',
      { transition: async () => throwing() },
      'must not be asynch',
    ],
    [
      'initial returns a promise that rejects',
      { initial: async () => throwing() },
      'must not be asynchronous',
    ],
    [
      'describe returns a promise that rejects',
      { describe: async () => throwing() },
      'must not be asynchronous',
    ],
    ['a state contains NaN', { transition: () => accept({ n: Number.NaN }) }, 'state.n is NaN'],
    [
      'a state contains a Date',
      { transition: () => accept({ at: new Date(0) }) },
      'state.at is a Date',
    ],
    ['a state is undefined', { transition: () => accept(undefined) }, 'state is undefined'],
    ['a state contains itself', { transition: () => accept(cyclic) }, 'a circular reference'],
    ['the initial state is not JSON', { initial: () => new Map() }, 'state is a Map'],
    ['the initial state is too large', { initial: () => 'x'.repeat(307_200) }, '307202 bytes'],
    ['a schema is asynchronous', { events: { added: asyncSchema } }, 'must not be asynchronous'],
    [
      'a Zod schema is asynchronous',
      { events: { added: zodSchema(parsingAsync) } },
      'must not be asynchronous',
    ],
    ['describe returns nothing', described(undefined), 'describe returned an invalid description'],
    ['describe returns a string', described('Low'), 'describe returned an invalid description'],
    ['a status is missing', described({}), 'invalid description: status'],
    ['a status is not declared', described({ status: 'Lost' }), 'the status "Lost"'],
    ['progress is NaN', described({ status: 'Low', progress: Number.NaN }), 'progress'],
    ['progress is greater than 1', described({ status: 'Low', progress: 66 }), 'progress'],
    ['progress is less than 0', described({ status: 'Low', progress: -0.1 }), 'progress'],
    ['done is a string', described({ status: 'Low', done: 'yes' }), 'done'],
    [
      'a milestone is not declared',
      described({ status: 'Low', milestones: [{ id: 'nowhere' }] }),
      'the milestone "nowhere"',
    ],
    [
      'a milestone is returned twice',
      described({
        status: 'Low',
        milestones: [{ id: 'm', at: '2026-01-01T00:00:00Z' }, { id: 'm' }],
      }),
      'describe returned the milestone "m" twice; return each milestone once',
    ],
    [
      'a milestone has an invalid time',
      described({ status: 'Low', milestones: [{ id: 'm', at: 'soon' }] }),
      'milestones.0.at: must be an RFC 3339 date and time, such as 2026-01-31T17:00:00Z; got "soon"',
    ],
    ['a reference is a number', described({ status: 'Low', reference: 7 }), 'reference'],
    ['a reference is empty', described({ status: 'Low', reference: '' }), 'reference'],
    [
      'a reference is too long',
      described({ status: 'Low', reference: 'x'.repeat(257) }),
      'reference',
    ],
    [
      'a reference has a lone surrogate',
      described({ status: 'Low', reference: 'A\ud800' }),
      'reference: must be well-formed text',
    ],
    [
      'a reference has a line break',
      described({ status: 'Low', reference: 'A\nB' }),
      'reference: must be well-formed text of 1 to 256 characters without control characters',
    ],
    [
      'a description is too long',
      { statuses: ['x'.repeat(8192)], ...described({ status: 'x'.repeat(8192) }) },
      'a description of 8205 bytes; the limit is 8192',
    ],
  ])('throws a model fault if %s', (_, parts, message) => {
    const fault = faultOf(broken({ ...parts, milestones: [{ id: 'm', label: 'M' }] }));
    expect(fault).toMatchObject({
      name: 'MilepostError',
      code: 'model-fault',
      message: expect.stringMatching(/^model counter failed on added e1(, in \w+)?: /) as string,
    });
    expect((fault as Error).message).toContain(message);
  });

  it('throws a model fault if a status is no longer declared', () => {
    const { after } = foldEvent(
      broken(described({ status: 'Low' })),
      undefined,
      event({ id: 'e0' }),
    );
    const renamed = broken({ statuses: ['Little'], ...described({ status: 'Low' }) });
    expect(faultOf(renamed, after)).toMatchObject({ code: 'model-fault' });
  });

  it('throws a model fault if a milestone time is a Date, even if its JSON equals the previous time', () => {
    const at = '2026-01-01T00:00:00.000Z';
    const milestones = [{ id: 'm', label: 'M' }];
    const saying = (moment: unknown) =>
      broken({
        milestones,
        ...described({ status: 'Low', milestones: [{ id: 'm', at: moment }] }),
      });
    const { after } = foldEvent(saying(at), undefined, event({ id: 'e0' }));
    expect(faultOf(saying(at), after)).toBeUndefined();
    expect(faultOf(saying(new Date(at)), after)).toMatchObject({ code: 'model-fault' });
  });

  it.each([
    ['initial', { initial: throwing }, ', in initial: a bug'],
    ['describe', { describe: throwing }, ', in describe: a bug'],
    ['keys', { keys: throwing }, ', in keys: a bug'],
    ['transition, for which the message names only the event', { transition: throwing }, ': a bug'],
    [
      'a data schema',
      { events: { added: { '~standard': { ...asyncSchema['~standard'], validate: throwing } } } },
      ', in the data schema of added: a bug',
    ],
    [
      'a function in a Zod schema',
      { events: { added: zodSchema(throwing) } },
      ', in the data schema of added: a bug',
    ],
  ])('names the function that failed: %s', (_, parts, words) => {
    expect(faultOf(broken(parts))).toMatchObject({
      message: `model counter failed on added e1${words}`,
    });
  });

  it('keeps the thrown error as the cause', () => {
    const bug = new Error('a bug');
    const model = broken({
      transition() {
        throw bug;
      },
    });
    expect(() => foldEvent(model, undefined, event())).toThrow(
      expect.objectContaining({ code: 'model-fault', cause: bug }),
    );
  });

  it('fails in the same way if the event is folded again from the stored state', () => {
    const { after } = foldEvent(counter, undefined, event({ id: 'a' }));
    const model = broken({
      transition(_: unknown, state: { sum: number }) {
        throw new Error(`at ${++state.sum}`);
      },
    });
    const again = () => faultOf(model, restoreSnapshot(after));
    const fault = { message: 'model counter failed on added e1: at 2' };
    expect(again()).toMatchObject(fault);
    expect(again()).toMatchObject(fault);
  });
});

describe('foldEvent with effects', () => {
  const told = emit({ model: 'other', transaction: 'T2', type: 'told' });
  const due = '2026-01-01T00:00:30.000Z';
  /** A counter model that returns the given effects, accepts timers, and rejects negative numbers. */
  const having = (...effects: readonly unknown[]): Model =>
    broken({
      events: { ...counter.events, 'timer.fired': timerFired },
      transition: ({ data }: TrackedEvent, state: unknown) =>
        (data as { n?: number }).n! < 0 ? reject('below zero') : accept(state, ...(effects as [])),
    });
  const run = (model: Model, before?: Snapshot, more: Partial<TrackedEvent> = {}) =>
    foldEvent(model, before, event({ id: 'e1', ...more }));
  /** Returns the snapshot after an event that starts timers with the given names. */
  const started = (...names: readonly string[]) =>
    run(having(...names.map((name) => startTimer(name, due)))).after;
  /** Returns the event of the first running timer. */
  const firing = ({ timers: [timer] }: Snapshot): TrackedEvent => ({
    ...event({
      source: 'milepost:clock',
      type: 'timer.fired',
      data: { name: timer!.name, dueAt: due },
    }),
    id: `timer/${timer!.name}@${timer!.run}`,
  });
  const names = ({ after }: FoldStep) => after.timers.map(({ name }) => name);

  it('keeps effects with the folded event and timers with the state', () => {
    const made = run(having(told, startTimer('t', due), notify('Told')));
    expect(made.effects).toEqual([told, notify('Told')]);
    expect(made.after.timers).toEqual([{ name: 't', dueAt: due, run: expect.any(String) }]);
    expect(run(having(), made.after).after.timers).toEqual(made.after.timers);
  });

  it('accepts a transition without effects', () => {
    const model = broken({ transition: () => ({ accepted: true, state: { sum: 1 } }) });
    expect(foldEvent(model, undefined, event())).toMatchObject({ outcome: 'applied', effects: [] });
  });

  it('drops the effects of a rejected event and keeps the running timers', () => {
    const before = started('t');
    expect(run(having(told, cancelTimer('t')), before, { data: { n: -1 } })).toMatchObject({
      outcome: 'rejected',
      effects: [],
      after: { timers: before.timers },
    });
  });

  it('accepts 2,000 effects and throws a model fault for more', () => {
    expect(run(having(...Array(2_000).fill(told))).effects).toHaveLength(2_000);
    expect(faultOf(having(...Array(2_001).fill(told)))).toMatchObject({
      code: 'model-fault',
      message: expect.stringContaining('at most 2000 are allowed') as string,
    });
  });

  it.each<[what: string, effect: unknown, message: string]>([
    ['has an unknown kind', { kind: 'email' }, 'invalid effects: 0.kind'],
    ['has an invalid instance', { ...told, transaction: '' }, 'invalid effects: 0.transaction'],
    [
      'contains a value that is not JSON',
      { ...told, data: { at: new Date(0) } },
      'data.at is a Date',
    ],
    [
      'has an invalid due time',
      startTimer('t', 'soon'),
      'must be an RFC 3339 date and time, such as 2026-01-31T17:00:00Z; got "soon"',
    ],
    ['has no name', cancelTimer(''), '1 to 200 characters'],
  ])('throws a model fault if an effect %s', (_, effect, message) => {
    expect(faultOf(having(effect))).toMatchObject({
      code: 'model-fault',
      message: expect.stringContaining(message) as string,
    });
  });

  it('throws a model fault if the effects are not a list', () => {
    const model = broken({ transition: () => ({ ...accept({ sum: 1 }), effects: 'none' }) });
    expect(faultOf(model)).toMatchObject({ code: 'model-fault' });
  });

  it.each<[what: string, effects: readonly unknown[], reason: string]>([
    [
      'an event that is too large',
      [emit({ ...told, data: 'x'.repeat(262_144) })],
      'told would take 262388 bytes; the limit is 262144',
    ],
    [
      'a notification that is too large',
      [notify('Told', 'x'.repeat(262_144))],
      'Told would take 262185 bytes; the limit is 245760',
    ],
    [
      'too many bytes in total',
      Array(6).fill(emit({ ...told, data: 'x'.repeat(200_000) })),
      'the events and notifications to send would take 1201464 bytes; the limit is 1048576',
    ],
  ])('rejects an event, with the reason, if its effects contain %s', (_, effects, reason) => {
    const before = started('t');
    const made = run(having(...effects, cancelTimer('t')), before);
    expect(made).toMatchObject({ outcome: 'rejected', reason, effects: [], after: before });
  });

  it('counts timers toward the size of the state', () => {
    const long = Array.from({ length: 1_300 }, (_, i) => startTimer(`${i}`.padEnd(200, 't'), due));
    const made = run(having(...long));
    expect(made).toMatchObject({
      outcome: 'rejected',
      reason: expect.stringMatching(
        /^the state with its timers would grow to \d+ bytes; the limit is 307200$/,
      ) as string,
      after: { timers: [] },
    });
    const fitting = run(having(...long.slice(0, 1_100)));
    expect(fitting.outcome).toBe('applied');
    const filled = run(counter, fitting.after, { type: 'filled', data: { bytes: 290_000 } });
    expect(filled.reason).toContain('the state with its timers would grow to');
  });

  it('ends a timer when it fires', () => {
    const before = started('a', 'b');
    expect(names(foldEvent(having(), before, firing(before)))).toEqual(['b']);
  });

  it('ends a fired timer even if the model rejects its event or does not know its type', () => {
    const before = started('a', 'b');
    const refusing = { ...having(), transition: () => reject('not now') };
    for (const [model, reason] of [
      [refusing, 'not now'],
      [counter, 'the model does not accept events of type timer.fired'],
    ] as const) {
      const made = foldEvent(model, before, firing(before));
      expect(made).toMatchObject({ outcome: 'rejected', reason });
      expect(names(made)).toEqual(['b']);
    }
  });

  it('restarts a fired timer as a new run', () => {
    const before = started('a');
    const made = foldEvent(having(startTimer('a', due)), before, firing(before));
    expect(names(made)).toEqual(['a']);
    expect(made.after.timers[0]!.run).not.toBe(before.timers[0]!.run);
  });

  it('rejects timer.fired from any source except the clock', () => {
    const before = started('a');
    const forged = { ...firing(before), source: 'somebody' };
    const made = foldEvent(having(told), before, forged);
    expect(made).toMatchObject({
      outcome: 'rejected',
      reason: "only Milepost's clock sends timer.fired",
      effects: [],
    });
    expect(names(made)).toEqual(['a']);
  });
});

describe('folding', () => {
  const careless = defineModel({
    id: 'careless',
    title: 'A model that mutates its state',
    statuses: ['On'],
    events: { put: v.object({ key: v.string(), value: v.unknown() }) },
    initial: (): Record<string, unknown> => ({}),
    transition({ data: { key, value } }, state) {
      state[key] = value === null ? undefined : value;
      return Object.keys(state).length > 3 ? reject('full') : accept(state);
    },
    describe: (state) => ({ status: 'On', progress: Math.min(1, Object.keys(state).length / 3) }),
  }) as unknown as Model;

  const data = fc.record({
    key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    value: fc.jsonValue({ maxDepth: 2 }),
  });

  it('has the same result whether the state is stored after each event or kept in memory', () => {
    fc.assert(
      fc.property(fc.array(data, { maxLength: 20 }), (drawn) => {
        const events = drawn.map((each) =>
          event({ type: 'put', data: JSON.parse(JSON.stringify(each)) as never }),
        );
        const fold = (between: (after: Snapshot) => Snapshot): FoldStep[] => {
          let before: Snapshot | undefined;
          return events.map((each) => {
            const made = foldEvent(careless, before, each);
            before = between(made.after);
            return { ...made, after: { ...made.after, state: null } };
          });
        };
        const inOneGo = fold((after) => after);
        const oneByOne = fold(restoreSnapshot);
        expect(inOneGo).toEqual(oneByOne);
      }),
    );
  });
});
