import { instancePath } from '../service/service.ts';

/** How long the model `tickets` holds reservations, in milliseconds. */
export const heldFor = 30_000;

/** An instance of `tickets` as returned by the API. */
export interface TicketsView {
  readonly timers: readonly { readonly name: string; readonly dueAt: string }[];
  readonly state: { readonly available: number; readonly reservations: object };
}

/** The history of an instance as returned by the API. */
export interface TicketsHistory {
  readonly entries: readonly {
    readonly event: {
      readonly type: string;
      readonly source: string;
      readonly time: string;
      readonly data: object;
    };
    readonly outcome: string;
  }[];
}

/**
 * Returns a function that creates events of a sports event, all with the time `happened` in milliseconds since 1970. An
 * earlier time makes the timers of the sports event due sooner.
 */
export const eventOf =
  (transactionid: string, happened: number) => (id: string, type: string, data: object) => ({
    id,
    type,
    data,
    source: 'box-office',
    modelid: 'tickets',
    transactionid,
    time: new Date(happened).toISOString(),
  });

/** The path of a sports event in the API. */
export const ticketsPath = (transaction: string) => instancePath('tickets', transaction);
