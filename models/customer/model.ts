import { accept, defineModel, emit, reject, transactionId } from 'milepost';
import * as v from 'valibot';

interface Purchase {
  /** The sports event: the transaction id of an instance of `tickets`. */
  readonly event: string;
  readonly qty: number;
}

/** A customer and their purchases, keyed by order. */
export interface Customer {
  readonly username: string;
  readonly purchases: { readonly [order: string]: Purchase };
}

/** The purchases of a customer. Each order is listed once, regardless of how often it is sent. */
export const customer = defineModel({
  id: 'customer',
  title: 'Customer and their purchases',
  statuses: ['New', 'Customer'],
  events: {
    'purchase.recorded': v.object({
      order: v.pipe(v.string(), v.nonEmpty('must not be empty')),
      event: transactionId,
      qty: v.pipe(
        v.number(),
        v.safeInteger('must be a whole number'),
        v.minValue(1, 'must be at least 1'),
      ),
    }),
  },
  diagram: {
    nodes: [
      { id: 'New', label: 'New' },
      { id: 'Customer', label: 'Customer' },
    ],
    edges: [
      { from: 'New', to: 'Customer', label: 'purchase recorded' },
      { from: 'Customer', to: 'Customer', label: 'purchase recorded' },
    ],
  },

  initial: (event): Customer => ({ username: event.transaction, purchases: {} }),

  transition(event, { username, purchases }) {
    const { order, ...purchase } = event.data;
    const listed = Object.hasOwn(purchases, order) ? purchases[order] : undefined;
    if (listed && !(listed.event === purchase.event && listed.qty === purchase.qty))
      return reject(`the order ${order} is already listed for another purchase`);
    const acknowledgement = emit({
      model: 'tickets',
      transaction: purchase.event,
      type: 'purchase.acknowledged',
      data: { who: username, order },
    });
    return accept(
      { username, purchases: { ...purchases, [order]: purchase } },
      // Every sale is acknowledged, because `tickets` resends a sale that is not acknowledged.
      ...(event.source.startsWith('milepost:tickets/') ? [acknowledgement] : []),
    );
  },

  describe: ({ purchases }) => ({
    status: Object.keys(purchases).length > 0 ? 'Customer' : 'New',
  }),
});
