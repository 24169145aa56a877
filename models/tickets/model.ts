import {
  accept,
  after,
  cancelTimer,
  defineModel,
  instanceSource,
  reject,
  startTimer,
  timerFired,
  tokenOf,
  transactionId,
  unixSeconds,
} from 'milepost';
import * as v from 'valibot';
import { holderOf, holdTimer, isHoldTimer } from './hold-timer.ts';
import { acknowledge, postAgain, sellAndPost } from './posting.ts';
import { heldBy, hold, isFull, noStock, release, type Stock } from './stock.ts';

/** How long tickets are held, in seconds. */
const heldSeconds = 30;

// A sale is posted to the instance `customer/<who>`.
const who = transactionId;
const wholeNumber = (least: number) =>
  v.pipe(
    v.number(),
    v.safeInteger('must be a whole number'),
    v.minValue(least, `must be at least ${least}`),
  );
const request = v.object({ who, qty: wholeNumber(1) });
const payment = v.object({ who });

/** Sells the tickets of a sports event. Each ticket is sold only once, and never while another customer holds it. */
export const tickets = defineModel({
  id: 'tickets',
  title: 'Tickets of a sports event',
  statuses: ['On sale', 'Held', 'Sold out'],
  events: {
    'event.created': v.object({ available: wholeNumber(0) }),
    'tickets.purchased': request,
    'tickets.reserved': request,
    'payment.authorized': payment,
    'payment.declined': payment,
    'purchase.acknowledged': v.object({ who, order: v.string() }),
    'timer.fired': timerFired,
  },
  diagram: {
    nodes: [
      { id: 'On sale', label: 'On sale' },
      { id: 'Held', label: 'Held' },
      { id: 'Sold out', label: 'Sold out' },
    ],
    edges: [
      { from: 'On sale', to: 'Held', label: 'last tickets reserved' },
      { from: 'On sale', to: 'Sold out', label: 'last tickets purchased' },
      { from: 'Held', to: 'On sale', label: 'payment declined, or 30 s passed' },
      { from: 'Held', to: 'Sold out', label: 'last payment authorized' },
    ],
  },

  initial: () => noStock,

  transition(event, stock, { recordedAt }) {
    const name = event.transaction;
    if (event.type === 'event.created')
      return stock.name === ''
        ? accept({ ...stock, name, available: event.data.available })
        : reject(`${name} already exists`);
    if (stock.name === '') return reject(`${name} has not been created yet`);

    switch (event.type) {
      case 'tickets.purchased': {
        const sale = { ...event.data, order: tokenOf(event) };
        const reason = shortage(stock, sale.qty);
        return reason ? reject(reason) : sellAndPost(stock, sale, recordedAt);
      }
      case 'tickets.reserved': {
        const { who, qty } = event.data;
        if (heldBy(stock, who)) return reject(`${who} already holds tickets`);
        const reason = shortage(stock, qty);
        if (reason) return reject(reason);
        // If the producer's clock is ahead, its time must not prolong the hold.
        const since = Date.parse(event.time) < Date.parse(recordedAt) ? event.time : recordedAt;
        return accept(
          hold(stock, who, { qty, ts: unixSeconds(event.time) }),
          startTimer(holdTimer(who), after(since, `PT${heldSeconds}S`)),
        );
      }
      case 'payment.authorized': {
        const { who } = event.data;
        const held = heldBy(stock, who);
        if (!held) return reject(`${who} holds no tickets`);
        // The hold ends at this time, even if its timer fires later.
        const end = held.ts + heldSeconds;
        if (unixSeconds(event.time) >= end)
          return reject(`the hold for ${who} ended at ${new Date(end * 1000).toISOString()}`);
        const sale = { who, qty: held.qty, order: tokenOf(event) };
        return sellAndPost(release(stock, who), sale, recordedAt, cancelTimer(holdTimer(who)));
      }
      case 'payment.declined': {
        const { who } = event.data;
        if (!heldBy(stock, who)) return reject(`${who} holds no tickets`);
        return accept(release(stock, who), cancelTimer(holdTimer(who)));
      }
      case 'purchase.acknowledged': {
        const { who, order } = event.data;
        if (event.source !== instanceSource({ model: 'customer', transaction: who }))
          return reject(`only customer/${who} can acknowledge its orders`);
        const sale = stock.pending.find((each) => each.who === who && each.order === order);
        return sale
          ? acknowledge(stock, sale)
          : reject(`the order ${order} from ${who} is not pending`);
      }
      case 'timer.fired': {
        const timer = event.data.name;
        if (!isHoldTimer(timer)) return postAgain(stock, recordedAt);
        const holder = holderOf(stock, timer);
        return accept(holder === undefined ? stock : release(stock, holder));
      }
    }
  },

  describe({ available, reservations }) {
    if (available > 0) return { status: 'On sale' };
    return { status: Object.keys(reservations).length > 0 ? 'Held' : 'Sold out' };
  },
});

/** Returns why tickets can be neither sold nor held; undefined if they can. */
function shortage(stock: Stock, qty: number): string | undefined {
  const { available } = stock;
  if (qty > available)
    return `only ${available} ${available === 1 ? 'ticket is' : 'tickets are'} available`;
  return isFull(stock) ? 'the state has no room for more sales' : undefined;
}
