import { expect, type Stage } from './stage.ts';

interface SportsEvent {
  readonly available: number;
  readonly reservations: Readonly<Record<string, { readonly qty: number }>>;
  readonly pending: readonly unknown[];
}

interface Customer {
  readonly purchases: Readonly<Record<string, { readonly event: string; readonly qty: number }>>;
}

/**
 * The scenario of the tickets model: customers purchase and reserve tickets, payments are authorized, declined, or
 * missing, and each sale is posted to its customer.
 */
export async function tickets(stage: Stage): Promise<void> {
  stage.title('Tickets');
  const put = async (event: string, type: string, data: object, ago = 0) =>
    (await stage.put<SportsEvent>('tickets', event, type, data, ago)).state;

  stage.print('# Simple purchase');
  await put('Mens 800m Final', 'event.created', { available: 500 });
  await put('Mens 800m Final', 'tickets.purchased', { who: 'Fred', qty: 5 });
  stage.print((await settled(stage, 'Mens 800m Final')).state);

  stage.print('# Check availability before purchasing');
  const relay = 'Womens 4x400m Final';
  await put(relay, 'event.created', { available: 10 });
  const refused = await put(relay, 'tickets.purchased', { who: 'Fred', qty: 11 });
  stage.print(refused);
  await put(relay, 'tickets.purchased', { who: 'Fred', qty: 9 });
  const enough = (await settled(stage, relay)).state;
  stage.print(enough);
  expect([refused.available, enough.available], [10, 1]);

  stage.print('# Reserve, then pay; reserve and be declined');
  const marathon = 'Womens Marathon Final';
  await put(marathon, 'event.created', { available: 500 });
  await put(marathon, 'tickets.reserved', { who: 'Fred', qty: 5 });
  await put(marathon, 'payment.authorized', { who: 'Fred' });
  await put(marathon, 'tickets.reserved', { who: 'Jim', qty: 7 });
  await put(marathon, 'payment.declined', { who: 'Jim' });
  const ran = (await settled(stage, marathon)).state;
  stage.print(ran);
  expect([ran.available, ran.reservations], [495, {}]);

  stage.print('# Expire reservations');
  const javelin = 'Womens Javelin';
  await put(javelin, 'event.created', { available: 500 }, 60);
  await put(javelin, 'tickets.reserved', { who: 'Jim', qty: 7 }, 29);
  await put(javelin, 'tickets.reserved', { who: 'Amy', qty: 19 }, 28);
  const held = await put(javelin, 'tickets.reserved', { who: 'Fred', qty: 5 });
  stage.print(held);
  const expired = await stage.instance<SportsEvent>(
    'tickets',
    javelin,
    ({ state }) => state.available === 495,
  );
  stage.print(expired.state);
  expect([held.available, Object.keys(expired.state.reservations)], [469, ['Fred']]);

  stage.print('# Post purchases and query results');
  await put('Mens Discus', 'event.created', { available: 500 });
  await put('Mens Discus', 'tickets.reserved', { who: 'Fred', qty: 5 });
  await put('Mens Discus', 'payment.authorized', { who: 'Fred' });
  stage.print((await settled(stage, 'Mens Discus')).state);
  const fred = await stage.instance<Customer>('customer', 'Fred');
  stage.print(fred.state);
  const bought = Object.values(fred.state.purchases).map(({ event, qty }) => `${qty} ${event}`);
  expect(bought.toSorted(), [
    '5 Mens 800m Final',
    '5 Mens Discus',
    '5 Womens Marathon Final',
    '9 Womens 4x400m Final',
  ]);
}

/** Waits until all sales of a sports event have been posted to their customers. */
const settled = (stage: Stage, event: string) =>
  stage.instance<SportsEvent>('tickets', event, ({ state }) => state.pending.length === 0);
