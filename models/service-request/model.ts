import { defineModel, defineProcess } from 'milepost';
import * as v from 'valibot';
import { serviceHours } from './calendar.ts';
import { labels } from './labels.ts';

/** The events that pause and resume the deadlines for scheduling and fulfillment. */
const pausedWhile = { from: 'documents.requested', until: 'documents.received' };

/** The milestones that a customer waits for. Any system can report them, in any order. */
const process = defineProcess({
  id: 'service-request',
  title: 'Customer service request',
  keep: { tier: '/data/tier', number: '/data/number' },
  reference: 'number',
  labels,
  milestones: [
    { id: 'received', label: 'Received', expectedWithin: 'PT1H' },
    { id: 'verified', label: 'Verified', deadline: { within: 'P1D', after: 'received' } },
    {
      id: 'scheduled',
      label: 'Scheduled',
      deadline: {
        within: 'P2D',
        tiers: { key: 'tier', gold: 'PT8H' },
        calendar: serviceHours,
        warnAt: 0.75,
        pausedWhile,
      },
    },
    {
      id: 'fulfilled',
      label: 'Fulfilled',
      // A time promised to the customer replaces the five working days.
      deadline: {
        within: 'P5D',
        due: '/data/promisedAt',
        calendar: serviceHours,
        warnAt: 0.75,
        pausedWhile,
      },
    },
    {
      id: 'closed',
      label: 'Closed',
      // Billing sends its events once an hour.
      deadline: { within: 'P7D', calendar: serviceHours, grace: 'PT1H' },
    },
  ],
  extendOn: 'deadline.extended',
  cancelOn: 'request.cancelled',
});

/** A customer's service request. A cancellation must have a reason. */
export const serviceRequest = defineModel({
  ...process,
  events: {
    ...process.events,
    'request.cancelled': v.object({ reason: v.pipe(v.string(), v.nonEmpty('must not be empty')) }),
  },
});
