import { accept, type Decision, defineModel, reject } from 'milepost';
import * as v from 'valibot';

interface WarrantyClaim {
  /** The times when the claim was received, approved, and refunded, in RFC 3339. */
  readonly received: string;
  readonly approved?: string;
  readonly refunded?: string;
  /** The refund, such as `89.90 EUR`; empty before the claim is approved. */
  readonly refund: string;
}

/**
 * Warranty claims from customers. The model fails on a claim that is approved without items, so the demo can show
 * parked events.
 */
export const warrantyClaim = defineModel({
  id: 'warranty-claim',
  title: 'Warranty claim',
  statuses: ['Received', 'Approved', 'Refunded'],
  milestones: [
    { id: 'received', label: 'Received' },
    { id: 'approved', label: 'Approved' },
    { id: 'refunded', label: 'Refunded' },
  ],
  events: {
    'claim.received': v.unknown(),
    'claim.approved': v.object({
      items: v.array(v.object({ price: v.number(), currency: v.string() })),
    }),
    'refund.paid': v.unknown(),
  },
  diagram: {
    nodes: [
      { id: 'Received', label: 'Received' },
      { id: 'Approved', label: 'Approved' },
      { id: 'Refunded', label: 'Refunded' },
    ],
    edges: [
      { from: 'Received', to: 'Approved', label: 'claim approved' },
      { from: 'Approved', to: 'Refunded', label: 'refund paid' },
    ],
  },

  initial: (event): WarrantyClaim => ({ received: event.time, refund: '' }),

  transition(event, claim, { first }): Decision<WarrantyClaim> {
    switch (event.type) {
      case 'claim.received':
        return first ? accept(claim) : reject('the claim has already been received');
      case 'claim.approved': {
        const { items } = event.data;
        // The deliberate fault: this line throws an error if the list of items is empty.
        const currency = items[0]!.currency;
        const total = items.reduce((sum, { price }) => sum + price, 0);
        return accept({
          ...claim,
          approved: event.time,
          refund: `${total.toFixed(2)} ${currency}`,
        });
      }
      case 'refund.paid':
        return claim.approved
          ? accept({ ...claim, refunded: event.time })
          : reject('the claim is not approved');
    }
  },

  describe: ({ received, approved, refunded }) => ({
    status: refunded ? 'Refunded' : approved ? 'Approved' : 'Received',
    done: refunded !== undefined,
    milestones: [
      { id: 'received', at: received },
      { id: 'approved', ...(approved && { at: approved }) },
      { id: 'refunded', ...(refunded && { at: refunded }) },
    ],
  }),
});
