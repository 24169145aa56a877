import { after, cancelTimer, type Effect, emit, startTimer, type TrackedEvent } from 'milepost';
import type { Sale } from './stock.ts';

/** A sale that is not acknowledged is posted again after the first of these, then the next, ... */
const pauses = ['PT1M', 'PT10M', 'PT1H', 'P1D'];

const prefix = 'posting/';
const timerOf = (order: string, pause: string) => `${prefix}${order}/${pause}`;

/** Posts a sale to its customer, and sees to it that it is posted again. */
export const post = (sale: Sale, event: Cause): Effect[] => postBefore(pauses[0], sale, event);

/** The sale is acknowledged: it is not posted again. */
export const stopPosting = ({ order }: Sale): Effect[] =>
  pauses.map((pause) => cancelTimer(timerOf(order, pause)));

/** Posts a sale again when one of its timers has fired; no effects for any other timer. */
export function postAgain(timer: string, pending: readonly Sale[], event: Cause): Effect[] {
  if (!timer.startsWith(prefix)) return [];
  const [order, pause = ''] = timer.slice(prefix.length).split('/');
  return pending
    .filter((sale) => sale.order === order)
    .flatMap((sale) => postBefore(pauses[pauses.indexOf(pause) + 1], sale, event));
}

/** The event on which a sale is posted. */
type Cause = Pick<TrackedEvent, 'transaction' | 'time'>;

function postBefore(pause: string | undefined, sale: Sale, { transaction, time }: Cause): Effect[] {
  const { who, qty, order } = sale;
  const posting = emit({
    model: 'customer',
    transaction: who,
    type: 'purchase.recorded',
    data: { order, event: transaction, qty },
  });
  if (pause === undefined) return [posting];
  return [posting, startTimer(timerOf(order, pause), after(time, pause))];
}
