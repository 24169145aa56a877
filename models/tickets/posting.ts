import { after, cancelTimer, type Effect, emit, startTimer, type TrackedEvent } from 'milepost';
import type { Sale } from './stock.ts';

/** The delays before an unacknowledged sale is posted again, each from the previous posting. */
const pauses = ['PT1M', 'PT10M', 'PT1H', 'P1D'];

const prefix = 'posting/';
const timerOf = (order: string, pause: string) => `${prefix}${order}/${pause}`;

/** Posts a sale to its customer and starts the timer for the first repetition. */
export const post = (sale: Sale, event: Cause): Effect[] => postBefore(pauses[0], sale, event);

/** Cancels all repetitions of an acknowledged sale. */
export const stopPosting = ({ order }: Sale): Effect[] =>
  pauses.map((pause) => cancelTimer(timerOf(order, pause)));

/** Posts a sale again when its timer fires. Returns no effects for other timers. */
export function postAgain(timer: string, pending: readonly Sale[], event: Cause): Effect[] {
  if (!timer.startsWith(prefix)) return [];
  const [order, pause = ''] = timer.slice(prefix.length).split('/');
  return pending
    .filter((sale) => sale.order === order)
    .flatMap((sale) => postBefore(pauses[pauses.indexOf(pause) + 1], sale, event));
}

/** The event that causes a sale to be posted: a purchase, a payment or a timer. */
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
