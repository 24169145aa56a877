import { instancePath } from './service.ts';

/** How long the model `tickets` holds reserved tickets, in milliseconds. */
export const heldFor = 30_000;

/** An instance of `tickets`, as the API shows it. */
export interface TicketsView {
  readonly timers: readonly { readonly name: string; readonly dueAt: string }[];
  readonly state: { readonly available: number; readonly reservations: object };
}

/** The history of an instance, as the API shows it. */
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

/** Makes events of one sports event, all of one time: an earlier time makes their timers due sooner. */
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
