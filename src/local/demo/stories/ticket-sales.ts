import type { Chance } from '../../../common/chance.ts';
import type { DemoEvent } from '../demo-record.ts';
import { day, exponential, hour, minute, type Period, second } from '../period.ts';

const games = ['City – Rovers', 'United – Athletic', 'Wanderers – Town', 'Albion – County'];
const names = ['ada', 'ben', 'chen', 'dara', 'emil', 'fatma', 'gita', 'hugo', 'ines', 'jan'];

/**
 * Generates ticket sales: one game every four days. Most tickets are bought soon after the sale starts. Some payments
 * are declined, late, or missing.
 */
export function ticketSales(chance: Chance, period: Period): DemoEvent[][] {
  const sales: DemoEvent[][] = [];
  for (let start = period.start + 9 * hour; start < period.now; start += 4 * day) {
    const date = new Date(start + 14 * day).toISOString().slice(0, 10);
    sales.push(sale(chance, period, `${games[sales.length % games.length]!}, ${date}`, start));
  }
  return sales;
}

function sale(chance: Chance, { now, end }: Period, transaction: string, start: number) {
  const about = { model: 'tickets', transaction, source: 'shop' };
  const available = chance.whole(8, 25) * 10;
  const events: DemoEvent[] = [{ ...about, type: 'event.created', at: start, data: { available } }];
  for (let at = start; ; ) {
    at +=
      at < now ? exponential(chance, 4 * minute + (at - start) / 25) : exponential(chance, minute);
    if (at >= end) return events.toSorted((a, b) => a.at - b.at);
    const who = `${chance.pick(names)}-${chance.whole(10, 40)}`;
    const qty = chance.whole(1, 4);
    if (chance.happens(0.8)) {
      events.push({ ...about, type: 'tickets.purchased', at, data: { who, qty } });
      continue;
    }
    events.push({ ...about, type: 'tickets.reserved', at, data: { who, qty } });
    // If the bank does not respond, the model puts the tickets back on sale after 30 seconds.
    const answer = chance.pick(['authorized', 'authorized', 'authorized', 'declined', undefined]);
    if (answer)
      events.push({
        ...about,
        source: 'bank',
        type: `payment.${answer}`,
        at: at + exponential(chance, 6 * second),
        data: { who },
      });
  }
}
