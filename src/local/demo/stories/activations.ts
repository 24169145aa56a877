import type { Chance } from '../../../common/chance.ts';
import type { DemoEvent } from '../demo-record.ts';
import { arrivals, day, logNormal, minute, type Period } from '../period.ts';

const services = ['NBCSports', 'HBO', 'Eurosport', 'Disney'];

/** Generates devices on which customers activate services, sometimes with wrong tokens, and then use the services. */
export function activations(chance: Chance, period: Period): DemoEvent[][] {
  return arrivals(chance, period, 12, 3 * minute).map((start, index) =>
    device(chance, period, `ATV-${4_000 + index}`, start),
  );
}

function device(chance: Chance, { end }: Period, transaction: string, start: number): DemoEvent[] {
  const about = { model: 'activation', transaction };
  const events: DemoEvent[] = [
    { ...about, source: 'devices', type: 'account.created', at: start, data: {} },
  ];
  for (const service of chance.shuffled(services).slice(0, chance.whole(1, 2))) {
    const token = chance.uuid().slice(0, 6).toUpperCase();
    let at = start + logNormal(chance, 10 * minute, 1);
    events.push({
      ...about,
      source: 'shop',
      type: 'activation.requested',
      at,
      data: { service, token },
    });
    // Four wrong tokens in a row suspend the service.
    const wrong = chance.happens(0.8) ? 0 : chance.whole(1, 4);
    const tokens = [...Array<string>(wrong).fill('WRONG1'), token];
    // Some customers give up.
    for (const given of chance.happens(0.12) ? tokens.slice(0, -1) : tokens) {
      at += logNormal(chance, 4 * minute, 1);
      events.push(use(about, service, given, at));
    }
    while (chance.happens(0.7) && at < end) {
      at += logNormal(chance, 3 * day, 0.8);
      events.push(use(about, service, token, at));
    }
  }
  return events.toSorted((a, b) => a.at - b.at);
}

const use = (
  about: Pick<DemoEvent, 'model' | 'transaction'>,
  service: string,
  token: string,
  at: number,
): DemoEvent => ({
  ...about,
  source: 'tv',
  type: 'entitlement.requested',
  at,
  data: { service, token },
});
