import { defineModel, defineProcess } from 'milepost';
import * as v from 'valibot';

/** The milestones that a customer waits for. Any system can report them, in any order. */
const process = defineProcess({
  id: 'service-request',
  title: 'Customer service request',
  milestones: [
    { id: 'received', label: 'Received', expectedWithin: 'PT1H' },
    { id: 'verified', label: 'Verified', expectedWithin: 'P1D' },
    { id: 'scheduled', label: 'Scheduled', expectedWithin: 'P2D' },
    { id: 'fulfilled', label: 'Fulfilled', expectedWithin: 'P5D' },
    { id: 'closed', label: 'Closed', expectedWithin: 'P7D' },
  ],
  cancelOn: 'request.cancelled',
});

/** A customer's service request. A cancellation must have a reason. */
export const serviceRequest = defineModel({
  ...process,
  events: {
    ...process.events,
    'request.cancelled': v.object({ reason: v.pipe(v.string(), v.nonEmpty()) }),
  },
});
