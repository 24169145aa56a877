import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cancelTimer,
  type Effect,
  emit,
  notify,
  startTimer,
} from '../../../src/core/effects/effect.ts';
import {
  isStaleTimerEvent,
  isTimerEvent,
  type Timer,
  timerEvent,
  timersAfter,
  withoutFiredTimer,
} from '../../../src/core/effects/timer.ts';
import { checkEvent, type TrackedEvent } from '../../../src/core/event/event.ts';
import { event } from '../../support/data/events.ts';

const instance = { model: 'counter', transaction: 'T1' };
const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;
const begun = (name: string, second = 1, id = 'e1') =>
  timersAfter([], [startTimer(name, at(second))], event({ id }))[0]!;

/** Returns the event of a timer, as decoded from the stream. */
function firing(timer: Timer): TrackedEvent {
  const checked = checkEvent(timerEvent(instance, timer), 0);
  if (!checked.ok) throw new Error(checked.reason);
  return checked.event;
}

describe('timersAfter', () => {
  it('starts, moves, and cancels timers in the order of the effects', () => {
    const first = timersAfter(
      [],
      [startTimer('b', at(2)), startTimer('a', at(3)), startTimer('c', at(1)), cancelTimer('c')],
      event({ id: 'e1' }),
    );
    expect(first.map(({ name, dueAt }) => [name, dueAt])).toEqual([
      ['b', at(2)],
      ['a', at(3)],
    ]);
    const second = timersAfter(first, [startTimer('a', at(1))], event({ id: 'e2' }));
    expect(second.map(({ name, dueAt }) => [name, dueAt])).toEqual([
      ['a', at(1)],
      ['b', at(2)],
    ]);
    expect(second[1]).toEqual(first[0]);
    expect(timersAfter(second, [cancelTimer('b'), cancelTimer('none')], event())).toEqual([
      second[0],
    ]);
  });

  it('keeps timers with the same due time in the order in which they were started', () => {
    const timers = timersAfter(
      [],
      ['b', 'a', 'c'].map((name) => startTimer(name, at(1))),
      event(),
    );
    expect(timers.map(({ name }) => name)).toEqual(['b', 'a', 'c']);
    const again = timersAfter(timers, [startTimer('b', at(1))], event({ id: 'e2' }));
    expect(again.map(({ name }) => name)).toEqual(['a', 'c', 'b']);
  });

  it('returns the same list if no effect starts or cancels a timer', () => {
    const timers = [begun('a')];
    const others = [emit({ ...instance, type: 'told' }), notify('Told')];
    expect(timersAfter(timers, others, event())).toBe(timers);
  });

  it('distinguishes the runs of timers with the same name', () => {
    const effects = [startTimer('a', at(1))];
    const causes = [{ id: 'e1' }, { id: 'e2' }, { id: 'e1', source: 'other' }];
    const runs = causes.map((cause) => timersAfter([], effects, event(cause))[0]!.run);
    expect(new Set(runs).size).toBe(3);
    // Folding the event again results in the same run.
    expect(timersAfter([], effects, event({ id: 'e1' }))[0]!.run).toBe(runs[0]);
    // A timer that restarts itself is a new run.
    const next = timersAfter([], effects, firing(begun('a')))[0]!;
    expect(next.run).not.toBe(runs[0]);
  });

  it('keeps the latest start of each timer that is not canceled afterward, and sorts timers by due time', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const effect: fc.Arbitrary<Effect> = fc.oneof(
      fc.tuple(name, fc.nat(5)).map(([each, second]) => startTimer(each, at(second))),
      name.map(cancelTimer),
    );
    fc.assert(
      fc.property(fc.array(fc.array(effect, { maxLength: 4 })), (batches) => {
        let timers: readonly Timer[] = [];
        const expected = new Map<string, string>();
        for (const [index, effects] of batches.entries()) {
          timers = timersAfter(timers, effects, event({ id: `e${index}` }));
          for (const each of effects)
            if ('name' in each) {
              expected.delete(each.name);
              if (each.kind === 'start-timer') expected.set(each.name, each.dueAt);
            }
        }
        const sorted = [...expected].toSorted(([, a], [, b]) => a.localeCompare(b));
        expect(timers.map(({ name: each, dueAt }) => [each, dueAt])).toEqual(sorted);
      }),
    );
  });
});

describe('a timer event', () => {
  it('is a valid event even if the name of the timer is long', () => {
    const timer = begun('🚲'.repeat(200), 9);
    expect(firing(timer)).toEqual({
      ...instance,
      id: `timer/${timer.name}@${timer.run}`,
      source: 'milepost:clock',
      type: 'timer.fired',
      time: at(9),
      data: { name: timer.name, dueAt: at(9) },
    });
    expect(isTimerEvent(firing(timer))).toBe(true);
  });

  it('ends only its own timer', () => {
    const [a, b] = [begun('a'), begun('b', 2)];
    expect(isStaleTimerEvent(firing(a), [a, b])).toBe(false);
    expect(withoutFiredTimer([a, b], firing(a))).toEqual([b]);
    expect(withoutFiredTimer([a, b], event())).toEqual([a, b]);
  });

  it.each<[string, readonly Timer[]]>([
    ['the timer fired or was canceled', []],
    ['the timer was restarted', [begun('a', 1, 'e2')]],
    ['the timer was moved', [begun('a', 2, 'e2')]],
    ['only another timer is running', [begun('b')]],
    ['only a timer with a similar name is running', [begun('a@'), begun('aa')]],
  ])('is stale if %s', (_, timers) => {
    expect(isStaleTimerEvent(firing(begun('a')), timers)).toBe(true);
    expect(withoutFiredTimer(timers, firing(begun('a')))).toEqual(timers);
  });

  it('is never stale and ends no timer if its source is not the clock', () => {
    const timer = begun('a');
    const forged = { ...firing(timer), source: 'somebody' };
    expect(isStaleTimerEvent(forged, [timer])).toBe(false);
    expect(isStaleTimerEvent(forged, [])).toBe(false);
    expect(withoutFiredTimer([timer], forged)).toEqual([timer]);
  });

  it('is never stale and ends no timer if its type is not timer.fired', () => {
    expect(isStaleTimerEvent(event({ source: 'milepost:clock', type: 'added' }), [])).toBe(false);
    const named = { ...firing(begun('a')), type: 'added' };
    expect(withoutFiredTimer([begun('a')], named)).toEqual([begun('a')]);
  });
});
