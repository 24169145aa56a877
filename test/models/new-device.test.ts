import fc from 'fast-check';
import { fired, given, type Result, type TestEvent } from 'milepost/testing';
import { describe, expect, it } from 'vitest';
import { activation } from '../../models/activation/model.ts';
import { newDevice } from '../../models/new-device/model.ts';
import { outgoingEvents } from '../../src/core/effects/outgoing-event.ts';
import type { TrackedEvent } from '../../src/core/event/event.ts';
import { instanceSource } from '../../src/core/event/reserved-source.ts';
import { foldEvent } from '../../src/core/history/fold.ts';
import type { Model } from '../../src/core/model/model.ts';
import { progressOf } from '../../src/core/status/milestones.ts';
import { commitOf, entryOf } from '../support/data/commits.ts';

type Item = Parameters<typeof newDevice.describe>[0];

const start = Date.parse('2026-01-01T00:00:00Z') / 1000;
const at = (seconds: number) => new Date((start + seconds) * 1000).toISOString();
const work = { service: 'NBCSports', device: 'ATV-123', token: 'MTOB1J' };

const submitted: TestEvent = { type: 'activation.submitted', data: work, time: at(0) };
const timeout = fired('no outcome');
const outcome = (
  type: string,
  became: 'applied' | 'rejected' | 'duplicate' = 'applied',
  more: object = {},
): TestEvent => ({
  type: 'outcome.recorded',
  data: {
    id: '1.0.0',
    source: 'milepost:new-device/test',
    type,
    modelid: 'activation',
    transactionid: 'ATV-123',
    outcome: became,
    reason: became === 'rejected' ? 'NBCSports is already Waiting' : null,
    status: 'Waiting',
    ...more,
  },
  time: at(0),
});
const requested = 'activation.requested';
const entitled = 'entitlement.requested';
const asks = (type: string) => ({
  kind: 'emit',
  model: 'activation',
  transaction: 'ATV-123',
  type,
  data: { service: 'NBCSports', token: 'MTOB1J' },
  replyTo: true,
});

describe('a new-device work item', () => {
  it('requests the activation first and lists the device for offers in parallel', () => {
    given(newDevice)
      .when(submitted)
      .then(({ state, status, sent, timers, description }) => {
        expect(state).toEqual({
          queue: 'new-device',
          ...work,
          last_step: 'provision',
          ts: start,
          attempts: 1,
        });
        expect(status).toBe('provision');
        expect(sent).toEqual([
          asks(requested),
          {
            kind: 'emit',
            model: 'offers',
            transaction: 'NBCSports',
            type: 'device.added',
            data: { device: 'ATV-123' },
          },
        ]);
        expect(timers).toEqual([{ name: 'no outcome', dueAt: at(60) }]);
        expect(progressOf(newDevice.milestones, description)).toBe(0.5);
      });
  });

  it('continues to the entitlement step and then to the end', () => {
    given(newDevice, submitted)
      .when(outcome(requested))
      .then(({ status, sent, timers }) => {
        expect(status).toBe('entitlement');
        expect(sent).toEqual([asks(entitled)]);
        expect(timers).toEqual([{ name: 'no outcome', dueAt: at(60) }]);
      });
    given(newDevice, submitted, outcome(requested))
      .when(outcome(entitled))
      .then(({ state, status, sent, timers, description }) => {
        expect(state).toEqual({
          queue: 'new-device',
          ...work,
          last_step: 'end',
          ts: start,
          attempts: 0,
        });
        expect(status).toBe('end');
        expect(sent).toEqual([]);
        expect(timers).toEqual([]);
        expect(description).toMatchObject({ done: true, progress: 1 });
      });
  });

  it('is submitted only once', () => {
    given(newDevice, submitted)
      .when(submitted)
      .then(({ outcome, reason, sent }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toBe('the work item is already at provision');
        expect(sent).toEqual([]);
      });
  });

  it.each([
    ['no data', null],
    ['no token', { service: 'A', device: 'D' }],
    ['an empty token', { ...work, token: '' }],
    ['an empty service', { ...work, service: '' }],
    ['an empty device', { ...work, device: '' }],
    ['a device of 257 characters', { ...work, device: 'x'.repeat(257) }],
    ['a control character in the device', { ...work, device: 'a\u0000b' }],
    ['a lone surrogate in the service', { ...work, service: '\ud800' }],
  ])('rejects a submission with %s and stays at the start', (_, data) => {
    given(newDevice)
      .when({ type: 'activation.submitted', data })
      .then(({ outcome, reason, status, state, description }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toContain('data');
        expect(status).toBe('start');
        expect(state).toMatchObject({ last_step: 'start', ts: 0, attempts: 0 });
        expect(description.progress).toBe(0);
      });
    given(newDevice)
      .when({ type: 'activation.submitted', data }, submitted)
      .then(({ outcome }) => expect(outcome).toBe('applied'));
  });
});

describe('a new-device step without an outcome', () => {
  it('is repeated every minute', () => {
    given(newDevice, submitted)
      .when(timeout, timeout)
      .then(({ state, statuses, sent, timers }) => {
        expect(statuses).toEqual(['provision', 'provision']);
        expect(state).toMatchObject({ ts: start + 120, attempts: 3 });
        expect(sent).toEqual([asks(requested), asks(requested)]);
        expect(timers).toEqual([{ name: 'no outcome', dueAt: at(180) }]);
      });
  });

  it('makes the work item stuck after three attempts', () => {
    given(newDevice, submitted, timeout, timeout)
      .when(timeout)
      .then(({ state, status, sent, timers, description }) => {
        expect(status).toBe('Stuck');
        expect(state).toMatchObject({ last_step: 'provision', attempts: 3, stuck: true });
        expect(sent).toEqual([]);
        expect(timers).toEqual([]);
        expect(description.done).toBe(false);
      });
  });

  it('counts only its own attempts, not those of an earlier step', () => {
    given(newDevice, submitted, timeout, timeout, outcome(requested), timeout, timeout)
      .when(timeout)
      .then(({ state, status }) => {
        expect(status).toBe('Stuck');
        expect(state).toMatchObject({ last_step: 'entitlement', attempts: 3 });
      });
  });

  it('is repeated a minute after it started, even if the outcome that started it has an earlier time', () => {
    given(newDevice, submitted, timeout)
      .when({ ...outcome(requested), recordedAt: at(70) })
      .then(({ state, timers }) => {
        expect(state).toMatchObject({ last_step: 'entitlement', ts: start + 60, attempts: 1 });
        expect(timers).toEqual([{ name: 'no outcome', dueAt: at(130) }]);
      });
  });

  it('is repeated a minute after the outcome that started it was recorded, even if the work was submitted much earlier', () => {
    given(newDevice, submitted)
      .when({ ...outcome(requested), recordedAt: at(1000) }, { ...timeout, recordedAt: at(1100) })
      .then(({ state, timers }) => {
        expect(state).toMatchObject({ last_step: 'entitlement', attempts: 2 });
        expect(timers).toEqual([{ name: 'no outcome', dueAt: at(1120) }]);
      });
  });

  it('is repeated every minute by the clock of the service, even if the clock of the producer is an hour ahead', () => {
    const ahead = { ...submitted, time: at(3600), recordedAt: at(0) };
    const replied = { ...outcome(requested), time: at(3600), recordedAt: at(2) };
    const restarted = { type: 'work.restarted', time: at(7200), recordedAt: at(1000) };
    const stories: [before: TestEvent[], event: TestEvent, dueAt: string][] = [
      [[], ahead, at(60)],
      [[ahead], timeout, at(120)],
      [[ahead], replied, at(62)],
      [[ahead, replied], timeout, at(122)],
      [[ahead, timeout, timeout, timeout], restarted, at(1060)],
    ];
    for (const [before, event, dueAt] of stories)
      given(newDevice, ...before)
        .when(event)
        .then(({ timers }) => expect(timers).toEqual([{ name: 'no outcome', dueAt }]));
  });

  it('has the time of the event that started it as `ts`, even if that event was recorded late', () => {
    given(newDevice, { ...submitted, recordedAt: at(500) })
      .when({ ...outcome(requested), recordedAt: at(1000) })
      .then(({ state }) => expect(state.ts).toBe(start));
  });

  it('is completed by an outcome that arrives late, even if the work item is stuck', () => {
    given(newDevice, submitted, timeout, timeout, timeout)
      .when(outcome(requested), outcome(entitled))
      .then(({ state, statuses }) => {
        expect(statuses).toEqual(['entitlement', 'end']);
        expect(state).not.toHaveProperty('stuck');
      });
  });

  it('is restarted by work.restarted if the work item is stuck', () => {
    given(newDevice, submitted, timeout, timeout, timeout)
      .when({ type: 'work.restarted', time: at(1000) })
      .then(({ state, status, sent, timers }) => {
        expect(status).toBe('provision');
        expect(state).toEqual({
          queue: 'new-device',
          ...work,
          last_step: 'provision',
          ts: start + 1000,
          attempts: 1,
        });
        expect(sent).toEqual([asks(requested)]);
        expect(timers).toEqual([{ name: 'no outcome', dueAt: at(1060) }]);
      });
  });

  it.each<[what: string, before: TestEvent[]]>([
    ['is not submitted', []],
    ['waits for an outcome', [submitted]],
    ['is complete', [submitted, outcome(requested), outcome(entitled)]],
  ])('is not restarted by work.restarted if the work item %s', (_, before) => {
    given(newDevice, ...before)
      .when({ type: 'work.restarted' })
      .then(({ outcome, sent }) => {
        expect(outcome).toBe('rejected');
        expect(sent).toEqual([]);
      });
  });
});

describe('a rejected new-device step', () => {
  it('makes the work item fail with the reason from the activation model', () => {
    given(newDevice, submitted)
      .when(outcome(requested, 'rejected'))
      .then(({ state, status, timers, description }) => {
        expect(status).toBe('Failed');
        expect(state.reason).toBe('NBCSports is already Waiting');
        expect(timers).toEqual([]);
        expect(description.done).toBe(false);
      });
  });

  it('can be restarted', () => {
    given(newDevice, submitted, outcome(requested, 'rejected'))
      .when({ type: 'work.restarted', time: at(9) }, outcome(requested))
      .then(({ state, statuses }) => {
        expect(statuses).toEqual(['provision', 'entitlement']);
        expect(state).not.toHaveProperty('reason');
        expect(state).not.toHaveProperty('rejected');
      });
  });

  it('does not make the work item fail if an earlier attempt of the step succeeds late', () => {
    given(newDevice, submitted, timeout)
      .when(outcome(requested, 'rejected'), outcome(requested))
      .then(({ statuses }) => expect(statuses).toEqual(['provision', 'entitlement']));
  });

  it('makes the work item stuck if an earlier attempt has no outcome', () => {
    given(newDevice, submitted, timeout, outcome(requested, 'rejected'), timeout)
      .when(outcome(requested, 'rejected'), timeout)
      .then(({ statuses }) => expect(statuses).toEqual(['provision', 'Stuck']));
  });

  it('does not make the work item fail if the step is already complete', () => {
    given(newDevice, submitted, timeout, outcome(requested))
      .when(outcome(requested, 'rejected'))
      .then(({ outcome, reason, status }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toBe('entitlement does not wait for the outcome of activation.requested');
        expect(status).toBe('entitlement');
      });
    given(newDevice, submitted, outcome(requested), outcome(entitled))
      .when(outcome(entitled, 'rejected'))
      .then(({ status }) => expect(status).toBe('end'));
  });

  it('makes the work item fail when every attempt is rejected', () => {
    const rejected = outcome(requested, 'rejected');
    given(newDevice, submitted, timeout, timeout, timeout)
      .when(rejected, rejected, rejected)
      .then(({ statuses }) => expect(statuses).toEqual(['Stuck', 'Stuck', 'Failed']));
  });
});

describe('the outcome that Milepost sends for a new-device step', () => {
  it.each([
    ['the id of the work item has 256 characters', 'x'.repeat(256), 'ATV-123'],
    ['the id of the work item looks like a hash', 'sha256:1', 'ATV-123'],
    ['the id of the device has 256 characters', 'W-1', 'x'.repeat(256)],
    ['the id of the device looks like a hash', 'W-1', 'sha256:1'],
  ])('continues the work item if %s', (_, transaction, device) => {
    const item = { model: 'new-device', transaction, id: 'e1', source: 'shop', time: at(0) };
    const begun = foldEvent(newDevice as unknown as Model, undefined, {
      ...item,
      type: 'activation.submitted',
      data: { ...work, device },
    });
    const { event, effects } = begun;
    const commit = commitOf(item, 1, { entries: [entryOf(item, { event, effects })] });
    const [sent] = outgoingEvents(commit);
    const { type, source, replyto } = sent!.event as Record<string, string>;
    expect(replyto).toBe(`new-device/${transaction}`);
    const reply = {
      ...item,
      ...outcome(type!, 'applied', { source, transactionid: device }),
      source: instanceSource({ model: 'activation', transaction: device }),
    } as TrackedEvent;
    expect(foldEvent(newDevice as unknown as Model, begun.after, reply)).toMatchObject({
      outcome: 'applied',
      after: { description: { status: 'entitlement' } },
    });
  });
});

describe('outcomes that a new-device work item does not expect', () => {
  it.each([
    ['name another device', outcome(requested, 'applied', { transactionid: 'ATV-9' })],
    ['name another model', outcome(requested, 'applied', { modelid: 'offers' })],
    ['belong to another step', outcome(entitled)],
    ['report a duplicate', outcome(requested, 'duplicate')],
    ['belong to an event from a producer', outcome(requested, 'applied', { source: 'shop' })],
    [
      'belong to an event from another work item',
      outcome(requested, 'applied', { source: 'milepost:new-device/other' }),
    ],
    ['are sent by another instance', { ...outcome(requested), source: 'milepost:evil/x' }],
    ['have no data', { type: 'outcome.recorded', data: {} }],
  ])('are rejected if they %s', (_, event) => {
    given(newDevice, submitted)
      .when(event)
      .then(({ outcome, status, sent, timers }) => {
        expect(outcome).toBe('rejected');
        expect(status).toBe('provision');
        expect(sent).toEqual([]);
        expect(timers).toHaveLength(1);
      });
  });

  it('are rejected before the work item is submitted', () => {
    given(newDevice)
      .when(outcome(requested))
      .then(({ reason }) => expect(reason).toBe('no step is waiting at start'));
  });
});

/** A work item and its device. The test determines the order of their events. */
class World {
  readonly #before: readonly TestEvent[];
  readonly #heard: [TestEvent, ...TestEvent[]] = [submitted];
  readonly #requests: TestEvent[] = [];
  #answered = 0;
  #asked = 0;
  readonly replies: TestEvent[] = [];
  readonly statuses: string[] = [];
  item!: Result<Item>;
  /** The service on the device after the latest handled request; undefined if no request was handled. */
  service: { readonly token: string; readonly status: string } | undefined;

  /** @param before the earlier events of the device. */
  constructor(before: readonly TestEvent[]) {
    this.#before = before;
    this.#look();
  }

  /** The events that the work item sent to the activation model. */
  get sent(): readonly TestEvent[] {
    return this.#requests;
  }

  /** True if the device has a request that the activation model has not handled. */
  get isAsked(): boolean {
    return this.#answered < this.#requests.length;
  }

  /** Applies the next request to the device and creates the reply. */
  answer(): void {
    const until = this.#requests.slice(0, ++this.#answered);
    const [first, ...more] = [...this.#before, ...until];
    given(activation)
      .when(first!, ...more)
      .then(({ outcome: became, reason, status, state }) => {
        this.service = state.app.NBCSports;
        const { type } = until.at(-1)!;
        this.replies.push(outcome(type, became, { reason, status }));
      });
  }

  /** Delivers a reply to the work item. */
  hear(index: number): void {
    this.#heard.push(...this.replies.splice(index % this.replies.length, 1));
    this.#look();
  }

  /** Fires the timer of the work item. */
  wait(): void {
    this.#heard.push(timeout);
    this.#look();
  }

  #look(): void {
    given(newDevice)
      .when(...this.#heard)
      .then((result) => {
        this.item = result;
        this.statuses.push(result.status);
        const asked = result.sent.filter(({ kind, type }) => kind === 'emit' && type in counted);
        for (const { type, data } of asked.slice(this.#asked)) this.#requests.push({ type, data });
        this.#asked = asked.length;
      });
  }
}
const counted = { [requested]: true, [entitled]: true };

describe('a new-device work item with events in any order', () => {
  const free: TestEvent[] = [{ type: 'account.created' }];
  const taken: TestEvent[] = [
    { type: 'activation.requested', data: { service: 'NBCSports', token: 'OTHER1' } },
  ];
  const otherWaits: TestEvent[] = [{ type: 'activation.requested', data: { service: 'ABC' } }];
  const suspended: TestEvent[] = [
    ...taken,
    ...Array.from({ length: 4 }, () => ({
      type: entitled,
      data: { service: 'NBCSports', token: 'wrong' },
    })),
  ];
  const action = fc.constantFrom('answer', 'hear', 'wait', 'lose');
  const actions = fc.array(fc.tuple(action, fc.nat()), { maxLength: 25 });

  function run(before: TestEvent[], steps: [string, number][], canLose: boolean): World {
    const world = new World(before);
    for (const [what, index] of steps) {
      if (what === 'answer' && world.isAsked) world.answer();
      if (what === 'hear' && world.replies.length > 0) world.hear(index);
      if (what === 'wait' && world.item.timers.length > 0) world.wait();
      if (what === 'lose' && canLose) world.replies.splice(index, 1);
    }
    // From now on, no reply is lost, and only necessary events arrive.
    for (;;) {
      if (world.isAsked) world.answer();
      else if (world.replies.length > 0) world.hear(0);
      else if (world.item.timers.length > 0) world.wait();
      else return world;
    }
  }

  it.each([
    ['end', 'has no services', free],
    ['end', 'has another waiting service', otherWaits],
    ['end', 'has the service in status Suspended', suspended],
    ['Failed', 'has the service in status Waiting', taken],
  ] as const)('reaches the status %s on a device that %s', (end, _, before) => {
    fc.assert(
      fc.property(actions, (steps) => {
        const { item, sent, service } = run([...before], steps, false);
        expect(item.status).toBe(end);
        expect(service).toMatchObject(
          end === 'end' ? { token: 'MTOB1J', status: 'Active' } : { token: 'OTHER1', failed: 0 },
        );
        expect(item.timers).toEqual([]);
        expect(count(sent, requested)).toBeLessThanOrEqual(3);
        expect(count(sent, entitled)).toBeLessThanOrEqual(3);
      }),
    );
  });

  it.each([
    ['end', 'has no services', free, 'Failed'],
    ['Failed', 'has the service in status Waiting', taken, 'end'],
  ] as const)(
    'reaches the status %s or Stuck on a device that %s if replies are lost',
    (end, _, before, never) => {
      const seen = new Set<string>();
      fc.assert(
        fc.property(actions, (steps) => {
          const { item, sent, statuses } = run([...before], steps, true);
          seen.add(item.status);
          expect([end, 'Stuck']).toContain(item.status);
          expect(item.timers).toEqual([]);
          expect(count(sent, requested)).toBeLessThanOrEqual(3);
          expect(count(sent, entitled)).toBeLessThanOrEqual(3);
          expect(statuses).not.toContain(never);
        }),
      );
      expect(seen).toContain(end);
    },
  );

  const count = (sent: readonly TestEvent[], type: string) =>
    sent.filter((each) => each.type === type).length;
});
