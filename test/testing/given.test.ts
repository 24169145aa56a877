import { defineModel, defineProcess } from 'milepost';
import { given } from 'milepost/testing';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';

const process = defineProcess({
  id: 'order',
  milestones: [
    { id: 'paid', label: 'Paid', on: 'order.paid' },
    { id: 'shipped', label: 'Shipped', on: 'order.shipped' },
  ],
});

describe('given', () => {
  it('converts the times of events to UTC, as Milepost does', () => {
    given(process, { type: 'order.paid', time: '2026-01-05T09:00:00+02:00' })
      .when({ type: 'order.shipped', time: '2026-01-05t08:00:00.5z' })
      .then(({ state }) =>
        expect(state).toEqual({
          started_at: '2026-01-05T07:00:00Z',
          reached: { paid: '2026-01-05T07:00:00Z', shipped: '2026-01-05T08:00:00.5Z' },
        }),
      );
  });

  it.each(['2026-02-30T00:00:00Z', '2026-01-05', 'soon'])('rejects the time %s', (time) => {
    const work = () => given(process).when({ type: 'order.paid', time });
    expect(work).toThrow(`the time "${time}" is not an RFC 3339 date and time`);
  });

  it('starts each `when` from the same state, even if the model mutates the state', () => {
    const counter = defineModel({
      id: 'counter',
      title: 'A counter',
      statuses: ['Open'],
      events: { counted: v.unknown() },
      initial: () => ({ count: 0 }),
      transition(_, state) {
        state.count++;
        return { accepted: true, state };
      },
      describe: () => ({ status: 'Open' }),
    });
    const once = given(counter, { type: 'counted' });
    for (let i = 0; i < 2; i++)
      once.when({ type: 'counted' }).then(({ state }) => expect(state).toEqual({ count: 2 }));
  });
});
