import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { FlawlessService } from './flawless-service.ts';
import type { Observed, ObservedHistory } from './observe/observed.ts';
import { audit } from './oracle/audit.ts';
import { createPlan } from './plan/plan.ts';
import type { Put } from './plan/put.ts';
import type { Journal } from './traffic/journal.ts';

const seeds = Array.from({ length: 20 }, (_, n) => n + 1);
const plan = createPlan(2, 0.2);
const puts = plan.producers.flat();
const acknowledged = (all: readonly Put[]): Journal => [
  all.map((put) => ({ put, attempts: 1, isAcknowledged: true })),
];
const journal = acknowledged(puts);

/** Returns the content that a service shows after it has received the given records. */
function after(records: readonly Put[]): Observed {
  const service = new FlawlessService();
  service.take(records);
  return service.observed();
}
const flawless = after(puts);

/** Replaces the first history that the function changes. */
function change(to: (history: ObservedHistory) => ObservedHistory | undefined): Observed {
  let isChanged = false;
  const histories = flawless.histories.map((history) => {
    const changed = isChanged ? undefined : to(history);
    isChanged ||= changed !== undefined;
    return changed ?? history;
  });
  expect(isChanged).toBe(true);
  return { ...flawless, histories };
}

const isOf = (model: string, { instance }: ObservedHistory) => instance.model === model;

describe('a plan', () => {
  it('is the same for the same seed and duration, and differs for another seed', () => {
    expect(isDeepStrictEqual(createPlan(7, 1), createPlan(7, 1))).toBe(true);
    expect(isDeepStrictEqual(createPlan(7, 1), createPlan(8, 1))).toBe(false);
  });
});

describe('the oracle', () => {
  it.each(seeds)('reports no findings if the real models run without faults: seed %i', (seed) => {
    const { producers } = createPlan(seed, 0.2);
    const service = new FlawlessService();
    service.take(producers.flat());
    expect(audit(acknowledged(producers.flat()), service.observed(), Infinity)).toEqual([]);
  });

  it('accepts an unacknowledged record whether or not the record arrived', () => {
    const event = puts.findIndex((put) => put.event?.modelid === 'fragile');
    const uncertain = [
      journal[0]!.map((sent, n) => (n === event ? { ...sent, isAcknowledged: false } : sent)),
    ];
    expect(audit(uncertain, flawless, Infinity)).toEqual([]);
    expect(audit(uncertain, after(puts.toSpliced(event, 1)), Infinity)).toEqual([]);
  });

  it.each<[string, RegExp, () => Observed]>([
    [
      'an acknowledged event is lost',
      /was acknowledged, but is missing/,
      () => after(puts.filter(({ event }) => event?.id !== '0.0.5')),
    ],
    [
      'an instance is lost',
      /does not exist/,
      () => ({ ...flawless, histories: flawless.histories.slice(1) }),
    ],
    [
      'an event is applied again under another id',
      /was never sent/,
      () => {
        const service = new FlawlessService();
        service.take(puts);
        const { event } = puts.find((put) => put.event?.modelid === 'fragile')!;
        service.apply({ ...event!, id: 'another' } as never);
        return service.observed();
      },
    ],
    [
      'an event is in a history twice',
      /is in the history twice/,
      () => change(({ instance, entries }) => ({ instance, entries: [...entries, entries[0]!] })),
    ],
    [
      'two events of an instance are in the wrong order',
      /the order is wrong/,
      () => {
        const of = puts.filter(({ event }) => event?.transactionid === 'flood-0-0');
        return after([...puts.filter((put) => !of.includes(put)), of[1]!, of[0]!, ...of.slice(2)]);
      },
    ],
    [
      'the data of an event changes',
      /differs from the event that was sent/,
      () =>
        after(
          puts.map((put) =>
            put.event?.id === '0.0.5'
              ? { ...put, bytes: Buffer.from(put.bytes.toString().replace(/"n":\d+/, '"n":-1')) }
              : put,
          ),
        ),
    ],
    [
      'a state is wrong',
      /the state after .* must be/,
      () =>
        change((history) => {
          const [first, ...rest] = history.entries;
          return isOf('fragile', history) && first?.outcome === 'applied'
            ? { ...history, entries: [{ ...first, state: { count: 2, trail: 0 } }, ...rest] }
            : undefined;
        }),
    ],
    [
      'an event that the model accepts is rejected',
      /is rejected .* must be applied/,
      () =>
        change((history) => {
          const [first, ...rest] = history.entries;
          return first?.outcome === 'applied'
            ? { ...history, entries: [{ ...first, outcome: 'rejected', reason: 'no' }, ...rest] }
            : undefined;
        }),
    ],
    [
      'an instance does not show its latest commit',
      /the state is .* in the history/,
      () =>
        change(({ instance, entries }) => ({ instance: { ...instance, state: null }, entries })),
    ],
    [
      'a commit is missing',
      /the history has the versions/,
      () =>
        change(({ instance, entries }) => ({
          instance: { ...instance, version: instance.version + 1 },
          entries,
        })),
    ],
    [
      'an effect is lost',
      /missing \d+ times from the history of its recipient/,
      () => ({
        ...flawless,
        histories: flawless.histories.filter((history) => !isOf('customer', history)),
      }),
    ],
    [
      'an effect happens twice',
      /received 1 times too often/,
      () => {
        const service = new FlawlessService();
        service.take(puts);
        const { instance, entries } = service
          .observed()
          .histories.find((history) => isOf('customer', history))!;
        const [{ event }] = entries as [ObservedHistory['entries'][number]];
        const key = { modelid: instance.model, transactionid: instance.transaction };
        service.apply({ ...event, ...key, id: 'again' } as never);
        return service.observed();
      },
    ],
    [
      'a running timer is missing',
      /the timers are , but must be idle/,
      () =>
        change(({ instance, entries }) => {
          const at = entries.findLastIndex(({ event }) => event.type === 'timer.fired');
          return isOf('session', { instance, entries }) && at === entries.length - 1
            ? {
                instance: {
                  ...instance,
                  version: at,
                  state: entries[at - 1]!.state,
                  status: 'Open',
                  done: false,
                },
                entries: entries.slice(0, at),
              }
            : undefined;
        }),
    ],
    [
      'a dead letter is missing',
      /no dead letter contains/,
      () => ({ ...flawless, deadLetters: flawless.deadLetters.slice(1) }),
    ],
    [
      'a dead letter has different bytes',
      /unexpected dead letter/,
      () => ({
        ...flawless,
        deadLetters: flawless.deadLetters.map((letter) => ({
          ...letter,
          raw: `AAAA${letter.raw}`,
        })),
      }),
    ],
    [
      'a valid event is parked without a fault',
      /are parked although no event is faulty/,
      () => {
        const { event, bytes } = puts.find((put) => put.event?.modelid === 'session')!;
        const of = {
          modelId: event!.modelid,
          transactionId: event!.transactionid,
          eventId: event!.id,
        };
        const letter = { ...of, reason: 'parked', raw: bytes.toString('base64') };
        return { ...flawless, deadLetters: [...flawless.deadLetters, letter] };
      },
    ],
    [
      'an instance is not listed',
      /is not listed/,
      () => ({ ...flawless, listed: flawless.listed.slice(1) }),
    ],
    [
      'a list shows a different status',
      /is listed with/,
      () => ({
        ...flawless,
        listed: flawless.listed.map((each) => ({ ...each, status: 'Unknown' })),
      }),
    ],
    ['the service is not healthy', /not healthy/, () => ({ ...flawless, isHealthy: false })],
  ])('reports that %s', (_, finding, sabotage) => {
    expect(audit(journal, sabotage(), Infinity)).toContainEqual(expect.stringMatching(finding));
  });

  it('reports an event that is applied although the model still fails on it', () => {
    const isPoison = ({ event }: Put) => event?.type === 'failed';
    expect(puts.some(isPoison)).toBe(true);
    expect(audit(journal, flawless, 0)).toContainEqual(
      expect.stringMatching(/was applied, although it is faulty or follows a faulty event/),
    );
  });
});
