import { type RuleEvent, type Rules, type Sending, type Step, secondsOf, timeOf } from './rules.ts';

interface Sale {
  readonly who: string;
  readonly qty: number;
  readonly order: string;
}
interface Stock {
  readonly name: string;
  readonly available: number;
  readonly reservations: Readonly<Record<string, { readonly qty: number; readonly ts: number }>>;
  readonly sold_to: readonly Sale[];
  readonly pending: readonly Sale[];
}

const heldForMs = 30_000;
/** The delays before an unacknowledged sale is posted again, by their names in the timers. */
const pauses: readonly (readonly [string, number])[] = [
  ['PT1M', 60_000],
  ['PT10M', 600_000],
  ['PT1H', 3_600_000],
  ['P1D', 86_400_000],
];

/** The rules of the model `tickets`. */
export const ticketsRules: Rules<Stock> = {
  initial: () => ({ name: '', available: 0, reservations: {}, sold_to: [], pending: [] }),
  apply(stock, event, { shown }) {
    const { type, data, transaction } = event;
    if (type === 'event.created') {
      const { available } = data as { available: number };
      return stock.name === '' ? { state: { ...stock, name: transaction, available } } : undefined;
    }
    if (stock.name === '') return undefined;
    const { who, qty } = data as { who: string; qty: number };
    const held = Object.entries(stock.reservations).find(([name]) => name === who)?.[1];
    const isPossible = Number.isInteger(qty) && qty >= 1 && qty <= stock.available;
    switch (type) {
      case 'tickets.purchased':
        return isPossible ? sale(stock, { who, qty }, event, shown) : undefined;
      case 'tickets.reserved': {
        if (!isPossible || held) return undefined;
        const reservations = { ...stock.reservations, [who]: { qty, ts: secondsOf(event) } };
        const state = { ...stock, available: stock.available - qty, reservations };
        return { state, starts: { [`reservation/${who}`]: timeOf(event) + heldForMs } };
      }
      case 'payment.authorized': {
        if (!held) return undefined;
        const sold = sale(released(stock, who), { who, qty: held.qty }, event, shown);
        return { ...sold, cancels: [`reservation/${who}`] };
      }
      case 'payment.declined':
        return held && { state: released(stock, who), cancels: [`reservation/${who}`] };
      case 'purchase.acknowledged': {
        const { order } = data as { order: string };
        const pending = stock.pending.filter((each) => each.who !== who || each.order !== order);
        const cancels = pauses.map(([name]) => `posting/${order}/${name}`);
        return pending.length < stock.pending.length
          ? { state: { ...stock, pending }, cancels }
          : undefined;
      }
      case 'timer.fired':
        return fired(stock, event);
      default:
        return undefined;
    }
  },
  statusOf({ available, reservations }) {
    if (available > 0) return 'On sale';
    return Object.keys(reservations).length > 0 ? 'Held' : 'Sold out';
  },
  isDone: () => false,
};

const released = (stock: Stock, who: string): Stock => ({
  ...stock,
  available: stock.available + (stock.reservations[who]?.qty ?? 0),
  reservations: Object.fromEntries(
    Object.entries(stock.reservations).filter(([name]) => name !== who),
  ),
});

function sale(
  stock: Stock,
  bought: { readonly who: string; readonly qty: number },
  event: RuleEvent,
  shown: unknown,
): Step<Stock> {
  const order = String((shown as Partial<Stock> | null)?.sold_to?.at(-1)?.order);
  const sold = { ...bought, order };
  const state = {
    ...stock,
    available: stock.available - bought.qty,
    sold_to: [...stock.sold_to, sold],
    pending: [...stock.pending, sold],
  };
  return { state, ...posting(sold, event, 0) };
}

/** Returns the events and timers of the nth posting of a sale. */
function posting(
  { who, qty, order }: Sale,
  event: RuleEvent,
  n: number,
): Pick<Step<Stock>, 'sends' | 'starts'> {
  const data = { order, event: event.transaction, qty };
  const sends: Sending[] = [
    { model: 'customer', transaction: who, type: 'purchase.recorded', data },
  ];
  const [name, ms] = pauses[n] ?? [];
  return { sends, ...(ms && { starts: { [`posting/${order}/${name}`]: timeOf(event) + ms } }) };
}

function fired(stock: Stock, event: RuleEvent): Step<Stock> {
  const { name } = event.data as { name: string };
  const [kind, ...rest] = name.split('/');
  if (kind === 'reservation') return { state: released(stock, rest.join('/')) };
  const [order, pause] = rest;
  const sold = stock.pending.find((each) => each.order === order);
  const n = pauses.findIndex(([each]) => each === pause) + 1;
  return { state: stock, ...(sold && posting(sold, event, n)) };
}
