import type { TestEvent } from 'milepost/testing';
import { tokenOf } from '../../src/core/event/token.ts';

export const start = Date.parse('2026-01-01T00:00:00Z') / 1000;
export const at = (seconds: number) => new Date((start + seconds) * 1000).toISOString();

export const created = (available: number): TestEvent => ({
  type: 'event.created',
  data: { available },
  time: at(0),
});
const asked = (type: string) => (who: string, qty: number, seconds: number) => ({
  type,
  data: { who, qty },
  time: at(seconds),
});
export const purchased = asked('tickets.purchased');
export const reserved = asked('tickets.reserved');
export const authorized = (who: string, seconds: number) => ({
  type: 'payment.authorized',
  data: { who },
  time: at(seconds),
});
export const declined = (who: string, seconds: number) => ({
  ...authorized(who, seconds),
  type: 'payment.declined',
});
export const acknowledged = (who: string, order: string): TestEvent => ({
  type: 'purchase.acknowledged',
  source: `milepost:customer/${who}`,
  data: { who, order },
});
export const order = (id: string) => tokenOf({ source: 'test', id });
/** The event that posts a sale to a customer. In tests, the transaction id of the sports event is `test`. */
export const posted = (who: string, qty: number, of: string) => ({
  kind: 'emit',
  model: 'customer',
  transaction: who,
  type: 'purchase.recorded',
  data: { order: of, event: 'test', qty },
});
