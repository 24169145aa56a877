/** Tickets that are held for a payment. */
export interface Reservation {
  readonly qty: number;
  /** When they were reserved, in seconds since 1970. */
  readonly ts: number;
}

/** Tickets that were sold. */
export interface Sale {
  readonly who: string;
  readonly qty: number;
  readonly order: string;
}

/** The tickets of a sports event. The sum of available, held and sold tickets is constant. */
export interface Stock {
  /** The transaction id; empty until the event is created. */
  readonly name: string;
  readonly available: number;
  readonly reservations: { readonly [who: string]: Reservation };
  readonly sold_to: readonly Sale[];
  /** The sales that the customers have not acknowledged yet. */
  readonly pending: readonly Sale[];
}

/** The stock before the event is created. */
export const noStock: Stock = {
  name: '',
  available: 0,
  reservations: {},
  sold_to: [],
  pending: [],
};

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
