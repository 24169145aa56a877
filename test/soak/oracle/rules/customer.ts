import type { Rules } from './rules.ts';

interface Customer {
  readonly username: string;
  readonly purchases: Readonly<Record<string, { readonly event: string; readonly qty: number }>>;
}

/** The rules of the model `customer`. Only instances of `tickets` send it events in a soak. */
export const customerRules: Rules<Customer> = {
  initial: ({ transaction }) => ({ username: transaction, purchases: {} }),
  apply({ username, purchases }, { data }) {
    const { order, event, qty } = data as { order: string; event: string; qty: number };
    const acknowledged = { who: username, order };
    return {
      state: { username, purchases: { ...purchases, [order]: { event, qty } } },
      sends: [
        { model: 'tickets', transaction: event, type: 'purchase.acknowledged', data: acknowledged },
      ],
    };
  },
  statusOf: ({ purchases }) => (Object.keys(purchases).length > 0 ? 'Customer' : 'New'),
  isDone: () => false,
};
