/** Tickets that are held for a payment. */
export interface Reservation {
  readonly qty: number;
  /** When the tickets were reserved, in seconds since 1970. */
  readonly ts: number;
}

/** Tickets that were sold. */
export interface Sale {
  readonly who: string;
  readonly qty: number;
  readonly order: string;
}

/** The progress of the rounds that post all pending sales again. */
export interface Reposting {
  /** The number of completed rounds since the latest sale. */
  readonly round: number;
  /** The number of sales, from the start of `pending`, that the current round has posted; 0 between rounds. */
  readonly posted: number;
}

/** The tickets of a sports event. The sum of available, held, and sold tickets is constant. */
export interface Stock {
  /** The transaction id; empty until the event is created. */
  readonly name: string;
  readonly available: number;
  readonly reservations: { readonly [who: string]: Reservation };
  readonly sold_to: readonly Sale[];
  /** The sales that the customers have not acknowledged yet. */
  readonly pending: readonly Sale[];
  /** Omitted unless a round is in progress or has been completed since the latest sale. */
  readonly reposting?: Reposting;
}

/** The stock before the event is created. */
export const noStock: Stock = {
  name: '',
  available: 0,
  reservations: {},
  sold_to: [],
  pending: [],
};

/**
 * When the state with its timers reaches this size in bytes, no more tickets are sold or held. Milepost's limit is 300
 * KB. The size includes the customer's name twice for each hold, so a hold is at least as large as the sale that it
 * becomes. The remaining space is for the timer and the progress of repeated postings.
 */
const fullBytes = 290 * 1024;
/** The size of a hold's timer without the customer's name, in bytes. */
const timerBytes = 80;

/** Returns true if the state has no space for another sale or hold. Payments for existing holds always fit. */
export function isFull(stock: Stock): boolean {
  const holders = Object.keys(stock.reservations);
  const timersBytes = holders.length * timerBytes + Buffer.byteLength(JSON.stringify(holders));
  return Buffer.byteLength(JSON.stringify(stock)) + timersBytes >= fullBytes;
}

/** Moves tickets from available to held. */
export const hold = (stock: Stock, who: string, reservation: Reservation): Stock => ({
  ...stock,
  available: stock.available - reservation.qty,
  reservations: { ...stock.reservations, [who]: reservation },
});

/** Returns the tickets that are held for a customer; undefined if there are none. */
export const heldBy = ({ reservations }: Stock, who: string): Reservation | undefined =>
  Object.hasOwn(reservations, who) ? reservations[who] : undefined;

/** Makes the tickets that are held for a customer available again. */
export const release = (stock: Stock, who: string): Stock => ({
  ...stock,
  available: stock.available + (heldBy(stock, who)?.qty ?? 0),
  reservations: Object.fromEntries(
    Object.entries(stock.reservations).filter(([other]) => other !== who),
  ),
});

/** Moves tickets from available to sold. */
export const sell = (stock: Stock, sale: Sale): Stock => ({
  ...stock,
  available: stock.available - sale.qty,
  sold_to: [...stock.sold_to, sale],
  pending: [...stock.pending, sale],
});
