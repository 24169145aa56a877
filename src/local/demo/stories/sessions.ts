import type { Chance } from '../../../common/chance.ts';
import type { DemoEvent } from '../demo-record.ts';
import { arrivals, day, logNormal, minute, type Period, second } from '../period.ts';

const pages = ['home', 'offers', 'cart', 'checkout', 'help'];

/**
 * Generates visits to a website in the last two days and the coming hour. Most visitors leave without ending their
 * session.
 */
export function sessions(chance: Chance, { start, now, end }: Period): DemoEvent[][] {
  const recent = { start: Math.max(start, now - 2 * day), now, end };
  return arrivals(chance, recent, 120, 20 * second).map((begin, index) =>
    visit(chance, `web-${71_000 + index}`, begin),
  );
}

function visit(chance: Chance, transaction: string, start: number): DemoEvent[] {
  const about = { model: 'session', transaction, source: 'web' };
  const data = {
    token: chance.uuid().slice(0, 8),
    data: { lang: chance.pick(['en', 'de', 'fr']) },
  };
  const events: DemoEvent[] = [{ ...about, type: 'session.started', at: start, data }];
  let at = start;
  while (chance.happens(0.7)) {
    at += logNormal(chance, 45 * second, 1);
    events.push({
      ...about,
      type: 'session.updated',
      at,
      data: { set: { page: chance.pick(pages) } },
    });
  }
  if (chance.happens(0.3))
    events.push({
      ...about,
      type: 'session.ended',
      at: at + logNormal(chance, minute, 0.5),
      data: {},
    });
  return events;
}
