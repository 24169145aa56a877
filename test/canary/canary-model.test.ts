import { fired, given } from 'milepost/testing';
import { describe, expect, it } from 'vitest';
import { canaryModel } from '../../src/canary/canary-model.ts';

const checked = (id: string) => ({ type: 'canary.checked', id, time: id });
const [first, second] = ['2026-01-01T00:00:30.000Z', '2026-01-01T00:01:30.000Z'];

describe("the canary's model", () => {
  it('remembers the latest event and is done a day after the first event', () => {
    given(canaryModel)
      .when(checked(first), checked(second))
      .then(({ state, status, description, timers }) => {
        expect(state).toEqual({ last: second, isFinished: false });
        expect([status, description.done]).toEqual(['Running', false]);
        expect(timers).toEqual([{ name: 'end', dueAt: '2026-01-02T00:00:30.000Z' }]);
      });
    given(canaryModel)
      .when(checked(first), fired('end'))
      .then(({ status, description }) => {
        expect([status, description.done]).toEqual(['Finished', true]);
      });
  });
});
