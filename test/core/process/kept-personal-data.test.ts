import { defineModel } from 'milepost';
import { given } from 'milepost/testing';
import { expect, it } from 'vitest';
import { defineProcess } from '../../../src/core/process/define-process.ts';

const process = defineProcess({
  id: 'visit',
  keep: { customer: '/data/customer' },
  milestones: [
    {
      id: 'here',
      label: 'Here',
      on: 'here',
      deadline: { within: 'PT2H', tiers: { key: 'customer', Ann: 'PT1H' } },
    },
    { id: 'left', label: 'Left', on: 'left' },
    { id: 'paid', label: 'Paid', on: 'paid' },
  ],
});

it('a process applies events and keeps new data after its kept data, which is a business key, is erased', () => {
  const sealed = defineModel({
    ...process,
    keys: ({ kept }) => ({ customer: kept?.customer as string | null }),
    sensitive: { state: ['kept.customer'] },
  });
  const forgotten = {
    started_at: '2026-01-01T09:00:00Z',
    reached: { left: '2026-01-01T09:00:00Z' },
    kept: { customer: null },
    kept_at: { customer: '2026-01-01T09:00:00Z' },
  };
  given(sealed)
    .state(forgotten, { version: 1 })
    .when({ type: 'paid', time: '2026-01-01T10:00:00Z' })
    .then(({ outcome }) => expect(outcome).toBe('applied'));
  given(sealed)
    .state(forgotten, { version: 1 })
    .when({ type: 'here', data: { customer: 'Ann' }, time: '2026-01-01T10:00:00Z' })
    .then(({ outcome, state, description }) => {
      expect(outcome).toBe('applied');
      expect(state.kept).toEqual({ customer: 'Ann' });
      expect(description.milestones![0]!.expectedBy).toBe('2026-01-01T10:00:00.000Z');
    });
});
