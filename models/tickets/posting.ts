import { accept, after, cancelTimer, type Decision, type Effect, emit, startTimer } from 'milepost';
import { type Sale, type Stock, sell } from './stock.ts';

/**
 * The delays before the four rounds that post all pending sales again. The first delay starts when the first pending
 * sale is recorded, and each later delay when the previous round ends.
 */
const pauses = ['PT1M', 'PT10M', 'PT1H', 'P1D'];

/**
 * The maximum number of sales that one event posts again. The events of a transition can take at most 1 MB in total,
 * and a posting with long names takes up to 4 KB.
 */
const batchSize = 100;
/** The pause between the batches of a round. */
const batchPause = 'PT1S';

/** The timer of the next batch. All pending sales share the timer, so it takes almost no space in the state. */
const timer = 'posting';

/** Sells tickets and posts the sale to its customer. */
export function sellAndPost(
  stock: Stock,
  sale: Sale,
  recordedAt: string,
  ...beside: readonly Effect[]
): Decision<Stock> {
  const { reposting, ...rest } = stock;
  const sold = sell(rest, sale);
  const effects = [...beside, posting(stock.name, sale)];
  // The current round also posts this sale. From now on, the round counts as the first round, so the second pause
  // follows it.
  if (reposting && reposting.posted > 0)
    return accept({ ...sold, reposting: { ...reposting, round: 0 } }, ...effects);
  // The timer of the first round is running. If each sale restarted the timer, frequent sales would postpone the round
  // forever.
  if (stock.pending.length > 0 && !reposting) return accept(sold, ...effects);
  return accept(sold, ...effects, startTimer(timer, after(recordedAt, pauses[0]!)));
}

/** Posts the next batch of pending sales again and starts the timer of the batch after it, if any. */
export function postAgain(stock: Stock, recordedAt: string): Decision<Stock> {
  const { round, posted } = stock.reposting ?? { round: 0, posted: 0 };
  const batch = stock.pending.slice(posted, posted + batchSize);
  const isLast = posted + batch.length === stock.pending.length;
  const reposting = isLast
    ? { round: round + 1, posted: 0 }
    : { round, posted: posted + batch.length };
  const pause = isLast ? pauses[reposting.round] : batchPause;
  return accept(
    { ...stock, reposting },
    ...batch.map((sale) => posting(stock.name, sale)),
    ...(pause === undefined ? [] : [startTimer(timer, after(recordedAt, pause))]),
  );
}

/** Removes an acknowledged sale from the pending sales. When no sale is pending, the rounds end. */
export function acknowledge(stock: Stock, sale: Sale): Decision<Stock> {
  const { reposting, ...rest } = stock;
  const pending = stock.pending.filter((each) => each !== sale);
  if (pending.length === 0) return accept({ ...rest, pending }, cancelTimer(timer));
  if (!reposting) return accept({ ...rest, pending });
  const { round, posted } = reposting;
  const isPosted = stock.pending.indexOf(sale) < posted;
  return accept({ ...rest, pending, reposting: { round, posted: isPosted ? posted - 1 : posted } });
}

const posting = (event: string, { who, qty, order }: Sale) =>
  emit({
    model: 'customer',
    transaction: who,
    type: 'purchase.recorded',
    data: { order, event, qty },
  });
