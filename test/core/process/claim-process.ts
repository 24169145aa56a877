import { given, type TestEvent } from 'milepost/testing';
import type { MilestoneProgress } from '../../../src/core/model/description.ts';
import { defineProcess } from '../../../src/core/process/define-process.ts';
import { daytime } from '../../support/daytime-calendar.ts';

/** A time in January 2026, such as `05T09:00`. */
export const at = (time: string) => `2026-01-${time}:00.000Z`;

export const claim = defineProcess({
  id: 'claim',
  keep: { tier: '/data/tier', site: '/data/site' },
  milestones: [
    { id: 'received', label: 'Received', on: 'claim.received' },
    {
      id: 'answered',
      label: 'Answered',
      on: 'answer.sent',
      deadline: {
        within: 'PT8H',
        after: 'received',
        calendar: { key: 'site', default: daytime },
        warnAt: 0.75,
        pausedWhile: { from: 'documents.requested', until: 'documents.received' },
        tiers: { key: 'tier', gold: 'PT4H' },
      },
    },
    { id: 'paid', label: 'Paid', on: 'claim.paid', deadline: { due: '/data/promisedAt' } },
  ],
  extendOn: 'deadline.extended',
  cancelOn: 'claim.withdrawn',
});

export const received = (data: TestEvent['data'] = {}, time = '05T09:00'): TestEvent => ({
  type: 'claim.received',
  data,
  time: at(time),
});
export const answered = (time: string, data: TestEvent['data'] = {}): TestEvent => ({
  type: 'answer.sent',
  data,
  time: at(time),
});
export const requested = (time: string): TestEvent => ({
  type: 'documents.requested',
  time: at(time),
});
export const documents = (time: string): TestEvent => ({
  type: 'documents.received',
  time: at(time),
});
export const extended = (
  data: { milestone: string; by?: string; until?: string },
  time = '05T10:00',
) => ({
  type: 'deadline.extended',
  data,
  time: at(time),
});

/** Returns the progress of the milestone `answered` after some events. */
export function answer(first: TestEvent, ...more: readonly TestEvent[]): MilestoneProgress {
  return after(first, ...more).description.milestones![1]!;
}

export type Outcome = Parameters<
  Parameters<ReturnType<ReturnType<typeof given>['when']>['then']>[0]
>[0];

export function after(first: TestEvent, ...more: readonly TestEvent[]): Outcome {
  let result: Outcome | undefined;
  given(claim)
    .when(first, ...more)
    .then((found) => {
      result = found;
    });
  return result!;
}
