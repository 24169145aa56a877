import type { Chance } from '../../../common/chance.ts';
import type { DemoEvent } from '../demo-record.ts';
import { arrivals, day, hour, logNormal, minute, type Period } from '../period.ts';

/** Generates warranty claims. Claims from a partner are approved without items, so the model fails on them. */
export function warrantyClaims(chance: Chance, period: Period): DemoEvent[][] {
  return arrivals(chance, period, 3, 5 * minute).map((start, index) =>
    claim(chance, `WC-${1_000 + index}`, start),
  );
}

function claim(chance: Chance, transaction: string, start: number): DemoEvent[] {
  const about = { model: 'warranty-claim', transaction };
  const approved = start + logNormal(chance, 6 * hour, 1);
  const paid = approved + logNormal(chance, 2 * day, 0.4);
  const isFromPartner = chance.happens(0.1);
  const price = chance.whole(990, 24_990) / 100;
  return [
    { ...about, source: 'crm', type: 'claim.received', at: start },
    {
      ...about,
      source: isFromPartner ? 'partner-portal' : 'claims-desk',
      type: 'claim.approved',
      at: approved,
      data: { items: isFromPartner ? [] : [{ price, currency: 'EUR' }] },
    },
    { ...about, source: 'billing', type: 'refund.paid', at: paid },
  ];
}
