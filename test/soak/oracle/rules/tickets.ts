import {
  type RuleEvent,
  type Rules,
  type Sending,
  type Step,
  type StepFacts,
  secondsOf,
  timeOf,
} from './rules.ts';

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
  readonly reposting?: { readonly round: number; readonly posted: number };
}

const heldForMs = 30_000;
/** The delays in milliseconds before a round that posts the unacknowledged sales again. */
const pauses: readonly number[] = [60_000, 600_000, 3_600_000, 86_400_000];
const batchSize = 100;
const batchPauseMs = 1_000;

export const ticketsRules: Rules<Stock> = {
  initial: () => ({ name: '', available: 0, reservations: {}, sold_to: [], pending: [] }),
  apply(stock, event, facts) {
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
        return isPossible ? sale(stock, { who, qty }, facts) : undefined;
      case 'tickets.reserved': {
        if (!isPossible || held) return undefined;
        const reservations = { ...stock.reservations, [who]: { qty, ts: secondsOf(event) } };
        const state = { ...stock, available: stock.available - qty, reservations };
        return {
          state,
          starts: { [`reservation/${who}`]: Math.min(timeOf(event), facts.recordedAt) + heldForMs },
        };
      }
      case 'payment.authorized': {
        if (!held || secondsOf(event) >= held.ts + heldForMs / 1000) return undefined;
        const sold = sale(released(stock, who), { who, qty: held.qty }, facts);
        return { ...sold, cancels: [`reservation/${who}`] };
      }
      case 'payment.declined':
        return held && { state: released(stock, who), cancels: [`reservation/${who}`] };
      case 'purchase.acknowledged': {
        const { order } = data as { order: string };
        const at = stock.pending.findIndex((each) => each.who === who && each.order === order);
        if (at < 0) return undefined;
        const { reposting, ...rest } = stock;
        const state = { ...rest, pending: stock.pending.toSpliced(at, 1) };
        if (state.pending.length === 0) return { state, cancels: ['posting'] };
        if (!reposting) return { state };
        const posted = reposting.posted - (at < reposting.posted ? 1 : 0);
        return { state: { ...state, reposting: { ...reposting, posted } } };
      }
      case 'timer.fired':
        return fired(stock, event, facts);
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
  { reposting, ...stock }: Stock,
  bought: { readonly who: string; readonly qty: number },
  { shown, recordedAt }: StepFacts,
): Step<Stock> {
  const order = String((shown as Partial<Stock> | null)?.sold_to?.at(-1)?.order);
  const sold = { ...bought, order };
  const state = {
    ...stock,
    available: stock.available - bought.qty,
    sold_to: [...stock.sold_to, sold],
    pending: [...stock.pending, sold],
  };
  const sends = [posting(stock, sold)];
  const posted = reposting?.posted ?? 0;
  if (posted > 0) return { state: { ...state, reposting: { round: 0, posted } }, sends };
  if (stock.pending.length > 0 && !reposting) return { state, sends };
  return { state, sends, starts: { posting: recordedAt + pauses[0]! } };
}

/** Returns the event that posts a sale to its customer. */
const posting = ({ name }: Pick<Stock, 'name'>, { who, qty, order }: Sale): Sending => ({
  model: 'customer',
  transaction: who,
  type: 'purchase.recorded',
  data: { order, event: name, qty },
});

function fired(stock: Stock, event: RuleEvent, { recordedAt }: StepFacts): Step<Stock> {
  const { name } = event.data as { name: string };
  if (name !== 'posting') return { state: released(stock, name.slice('reservation/'.length)) };
  const { round, posted } = stock.reposting ?? { round: 0, posted: 0 };
  const sends = stock.pending.slice(posted, posted + batchSize).map((each) => posting(stock, each));
  const isLast = posted + batchSize >= stock.pending.length;
  const reposting = isLast
    ? { round: round + 1, posted: 0 }
    : { round, posted: posted + batchSize };
  const ms = isLast ? pauses[round + 1] : batchPauseMs;
  const starts = ms === undefined ? undefined : { posting: recordedAt + ms };
  return { state: { ...stock, reposting }, sends, ...(starts && { starts }) };
}
