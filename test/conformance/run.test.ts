import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { play } from '../../src/conformance/play.ts';
import { runConformance } from '../../src/conformance/run.ts';
import type { Samples } from '../../src/conformance/samples.ts';
import { Subject } from '../../src/conformance/subject.ts';
import { notify, startTimer } from '../../src/core/effects/effect.ts';
import { timerFired } from '../../src/core/effects/timer.ts';
import { defineModel } from '../../src/core/model/define-model.ts';
import { accept, type Model, reject } from '../../src/core/model/model.ts';
import { type Answer, ModelAsFunction } from '../support/models/model-as-function.ts';

interface Parcel {
  readonly n: number;
  readonly late?: boolean;
}

const parcel = defineModel({
  id: 'parcel',
  title: 'A parcel',
  statuses: ['New', 'Sent', 'Late'],
  events: { sent: v.object({ n: v.number() }), 'timer.fired': timerFired },
  initial: (): Parcel => ({ n: 0 }),
  transition(event, state) {
    if (event.type === 'timer.fired')
      return 'n' in state ? accept({ ...state, late: true }, notify('Late')) : reject('odd');
    if (event.data.n < 0) return reject('below zero');
    return accept({ n: state.n + event.data.n }, startTimer('late', '2026-02-01T00:00:00Z'));
  },
  describe: ({ n, late }) => ({ status: late ? 'Late' : n > 0 ? 'Sent' : 'New' }),
}) as unknown as Model;

const samples: Samples = {
  histories: [
    {
      name: 'sent and late',
      events: [
        { type: 'sent', data: { n: 2 }, expect: { status: 'Sent', state: { n: 2 } } },
        { type: 'sent', data: { n: -1 }, expect: { accepted: false, reason: 'below zero' } },
        { fired: 'late', expect: { status: 'Late' } },
      ],
    },
    {
      name: 'sent twice',
      events: [
        { type: 'sent', data: { n: 1 } },
        { type: 'sent', data: { n: 1 } },
      ],
    },
  ],
};

/** A function that conforms to the protocol, unless a test changes it. */
class Parcels extends ModelAsFunction {
  constructor(model: Model = parcel) {
    super(model);
    this.instead = ({ protocol, op }) =>
      protocol === 1 && ['describe', 'fold'].includes(op) ? undefined : refused;
  }
}

const refused = { kind: 'failed', error: 'ValueError', message: 'not known' } as const;

async function failedOf(port: ModelAsFunction, given: Samples | null = samples) {
  const told: string[] = [];
  const report = await runConformance(port, given ?? undefined, ({ name }) => told.push(name));
  expect(report.results.map(({ name }) => name)).toEqual(told);
  const failed = report.results.filter(({ outcome }) => outcome === 'failed');
  return {
    ...report,
    failed: failed.map(({ name }) => name),
    details: failed.map((each) => each.detail),
  };
}

describe('the conformance test', () => {
  it('passes a function that conforms to the protocol', async () => {
    const { failed, details, results, untried, model } = await failedOf(new Parcels());
    expect([failed, details]).toEqual([[], []]);
    expect([results.length, untried, model]).toEqual([14, [], 'parcel']);
  });

  it('does not report the event types of a sample that fails', async () => {
    const wrong = { type: 'sent', data: { n: 2 }, expect: { status: 'Lost' } };
    const given: Samples = { histories: [{ name: 'lost', events: [wrong, { fired: 'late' }] }] };
    const { failed, untried } = await failedOf(new Parcels(), given);
    expect([failed, untried]).toEqual([['sample: lost'], []]);
  });

  it('runs without samples, and reports event types that no sample contains', async () => {
    const { failed, untried } = await failedOf(new Parcels(), null);
    expect([failed, untried]).toEqual([[], ['sent', 'timer.fired']]);
  });

  it.each([
    [{ status: 'Late' }, 'event 1, sent: expected status "Late", but it is "Sent"'],
    [{ accepted: false }, 'expected accepted false, but it is true'],
    [{ state: {} }, 'expected state {}, but it is {"n":2}'],
  ])('fails a sample whose result differs from its expectation %j', async (expected, detail) => {
    const events = [{ type: 'sent', data: { n: 2 }, expect: expected }];
    const { failed, details } = await failedOf(new Parcels(), {
      histories: [{ name: 'x', events }],
    });
    expect(failed).toEqual(['sample: x']);
    expect(details).toEqual([expect.stringContaining(detail)]);
  });

  it('sets the default time of a sample event to one second after the previous event, in UTC', async () => {
    const events = [
      { type: 'sent', data: { n: 1 } },
      { type: 'sent', data: { n: 1 }, time: '2026-01-20T14:00:00+02:00' },
      { type: 'sent', data: { n: 1 } },
      { fired: 'late' },
      { type: 'sent', data: { n: 1 } },
    ];
    const port = new Parcels();
    await play(await Subject.connect(port), { name: 'x', events });
    expect(port.folds.flatMap(({ instances }) => instances[0]!.events[0]!.time)).toEqual([
      '2026-01-01T00:00:00.000Z',
      '2026-01-20T12:00:00Z',
      '2026-01-20T12:00:01.000Z',
      '2026-02-01T00:00:00.000Z',
      '2026-02-01T00:00:01.000Z',
    ]);
  });

  it('fails a sample that fires a timer that is not running', async () => {
    const histories = [{ name: 'x', events: [{ fired: 'late' }] }];
    const { failed, details } = await failedOf(new Parcels(), { histories });
    expect([failed, details]).toEqual([['sample: x'], ['event 1: no timer "late" is running']]);
  });

  let count = 0;
  const steps = (answer: Answer) => answer.instances.flatMap((each) => each.steps);
  const after = (answer: Answer) =>
    steps(answer).flatMap(
      (step) => (step['after'] as { state: Record<string, unknown>; description: object }) ?? [],
    );
  const wrong: [what: string, change: (answer: Answer) => void, check: string][] = [
    ['no protocol', (a) => delete (a as Partial<Answer>).protocol, 'describes its model'],
    ['no title', (a) => delete a.description['title'], 'describes its model'],
    [
      'a repeated status',
      (a) => (a.description['statuses'] = ['New', 'New']),
      'describes its model',
    ],
    [
      'another title each time',
      (a) => (a.description['title'] = `T${count++}`),
      'returns the same response to the same request',
    ],
    [
      'a state that counts calls',
      (a) => after(a).forEach(({ state }) => Object.assign(state, { calls: count++ })),
      'returns the same response to the same request',
    ],
    [
      'an undeclared status',
      (a) => after(a).forEach((each) => Object.assign(each, { description: { status: 'Odd' } })),
      'sample: sent twice',
    ],
    [
      'an effect of an unknown kind',
      (a) => steps(a).forEach((step) => Object.assign(step, { effects: [{ kind: 'x' }] })),
      'sample: sent twice',
    ],
    [
      'a timer with an invalid time',
      (a) =>
        steps(a).forEach(
          (step) =>
            'after' in step &&
            Object.assign(step, { effects: [{ kind: 'start-timer', name: 'x', dueAt: 'soon' }] }),
        ),
      'sample: sent twice',
    ],
    [
      'instances in a different order',
      (a) => (a.instances = a.instances.toReversed()),
      'keeps instances separate and in order',
    ],
    [
      'only the first of several instances',
      (a) => a.instances.splice(1),
      'keeps instances separate and in order',
    ],
    [
      'one step too many',
      (a) => a.instances.forEach((each) => each.steps.push({ accepted: false, reason: '' })),
      'sample: sent twice',
    ],
    ['no `start`', (a) => a.instances.forEach((each) => delete each.start), 'sample: sent twice'],
    [
      'both steps and a fault for each instance',
      (a) => a.instances.forEach((each) => (each.fault = 'x')),
      'returns the same response to the same request',
    ],
    [
      'the state of another instance',
      (a) => after(a).forEach((each, _, all) => Object.assign(each, { state: all[0]!.state })),
      'keeps instances separate and in order',
    ],
  ];

  it.each(wrong)('fails a function that responds with %s', async (_, change, check) => {
    const port = new Parcels();
    port.change = change;
    expect((await failedOf(port)).failed).toContain(check);
  });

  it('fails a function that accepts unknown operations and protocol versions', async () => {
    const port = new Parcels();
    port.instead = () => undefined;
    expect((await failedOf(port)).failed).toEqual([
      'fails on an unknown operation',
      'fails on an unsupported version of the protocol',
    ]);
  });

  it('fails a function that rejects unknown members in a request', async () => {
    const port = new Parcels();
    const { instead } = port;
    port.instead = (question) => ('conformance' in question ? refused : instead(question));
    expect((await failedOf(port)).failed).toEqual(['ignores unknown members']);
  });

  it('fails a function that accepts events of any type', async () => {
    const port = new Parcels();
    port.change = (answer) => {
      for (const { start, steps } of answer.instances)
        for (const [index, step] of steps.entries())
          if (step['reason'] === 'not taken' && start)
            steps[index] = { accepted: true, after: start };
    };
    expect((await failedOf(port)).failed).toContain(
      'rejects an event of an unknown type and returns the initial state',
    );
  });

  it('fails a function that fails for all instances because of a fault in one instance', async () => {
    const port = new Parcels();
    const { instead } = port;
    port.instead = (question) =>
      question.instances?.some(({ before }) => before?.state === null)
        ? refused
        : instead(question);
    expect((await failedOf(port)).failed).toEqual([
      'isolates each instance from faults of other instances',
    ]);
  });

  it('fails a function whose results depend on the batching of events', async () => {
    const port = new Parcels({
      ...parcel,
      transition: (event, state, context) => {
        const { first } = context;
        const decision = parcel.transition(event, state, context);
        return first || !decision.accepted
          ? decision
          : { ...decision, state: { ...(decision.state as object), later: true } };
      },
    });
    const { change } = port;
    port.change = (answer, question) => {
      change(answer, question);
      for (const { steps } of answer.instances)
        if (steps.length === 1) for (const { state } of after(answer)) delete state['later'];
    };
    expect((await failedOf(port)).failed).toContain(
      'returns the same result for events folded together and one by one',
    );
  });

  it('fails a function that cannot parse times with nine decimal places or large requests', async () => {
    const port = new Parcels();
    const { instead } = port;
    port.instead = (question) =>
      JSON.stringify(question).includes('.123456789Z') || question.instances?.length >= 300
        ? refused
        : instead(question);
    expect((await failedOf(port)).failed).toEqual([
      'accepts any text, and times with nine decimals',
      'accepts large events, and many instances',
    ]);
  });

  it('fails a function that ignores a state from another version', async () => {
    const port = new Parcels();
    port.change = ({ instances }, question) => {
      for (const [index, instance] of instances.entries())
        if (question.instances[index]?.before) delete instance.start;
    };
    expect((await failedOf(port)).failed).toEqual([
      'migrates a state from another version, or reports a fault',
    ]);
  });
});
