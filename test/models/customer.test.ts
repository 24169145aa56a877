import fc from 'fast-check';
import { given, type TestEvent } from 'milepost/testing';
import { describe, expect, it } from 'vitest';
import { customer } from '../../models/customer/model.ts';

const recorded = (order: string, event = 'Mens Discus', qty = 5): TestEvent => ({
  type: 'purchase.recorded',
  data: { order, event, qty },
});
const fromTickets = (event: TestEvent, sportsEvent = 'Mens Discus') => ({
  ...event,
  source: `milepost:tickets/${sportsEvent}`,
});

describe('the customer model', () => {
  it('lists purchases by order', () => {
    given(customer)
      .when(recorded('BZWIBD'), recorded('NJXFWB', 'Womens Javelin', 2))
      .then(({ state, statuses }) => {
        expect(state).toEqual({
          username: 'test',
          purchases: {
            BZWIBD: { event: 'Mens Discus', qty: 5 },
            NJXFWB: { event: 'Womens Javelin', qty: 2 },
          },
        });
        expect(statuses).toEqual(['Customer', 'Customer']);
      });
  });

  it('lists an order once, regardless of how often it is sent', () => {
    given(customer, recorded('BZWIBD'))
      .when(recorded('BZWIBD'), recorded('BZWIBD'))
      .then(({ outcome, state }) => {
        expect(outcome).toBe('applied');
        expect(state.purchases).toEqual({ BZWIBD: { event: 'Mens Discus', qty: 5 } });
      });
  });

  it.each([
    ['quantity', recorded('BZWIBD', 'Mens Discus', 6)],
    ['sports event', recorded('BZWIBD', 'Womens Javelin')],
  ])('rejects a purchase with the id of a listed order and a different %s', (_, other) => {
    given(customer, recorded('BZWIBD'))
      .when(fromTickets(other))
      .then(({ outcome, reason, state, sent }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toBe('the order BZWIBD is already listed for another purchase');
        expect(state.purchases).toEqual({ BZWIBD: { event: 'Mens Discus', qty: 5 } });
        expect(sent).toEqual([]);
      });
  });

  it('acknowledges every sale that `tickets` sends, including repeated sales', () => {
    const acknowledgement = {
      kind: 'emit',
      model: 'tickets',
      transaction: 'Mens Discus',
      type: 'purchase.acknowledged',
      data: { who: 'test', order: 'BZWIBD' },
    };
    given(customer)
      .when(fromTickets(recorded('BZWIBD')), fromTickets(recorded('BZWIBD')))
      .then(({ sent }) => expect(sent).toEqual([acknowledgement, acknowledgement]));
  });

  it('does not acknowledge a sale from another source', () => {
    given(customer)
      .when(recorded('BZWIBD'))
      .then(({ sent }) => expect(sent).toEqual([]));
  });

  it.each([
    ['no fields', {}],
    ['an empty order id', { order: '', event: 'E', qty: 1 }],
    ['an empty event', { order: 'A', event: '', qty: 1 }],
    ['an event of 257 characters', { order: 'A', event: 'x'.repeat(257), qty: 1 }],
    ['a line break in the event', { order: 'A', event: 'a\nb', qty: 1 }],
    ['a quantity of 0', { order: 'A', event: 'E', qty: 0 }],
    ['a fractional quantity', { order: 'A', event: 'E', qty: 1.5 }],
    ['no data', null],
  ])('rejects a purchase with %s', (_, data) => {
    given(customer)
      .when({ type: 'purchase.recorded', data })
      .then(({ outcome, reason, state, status }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toContain('data: ');
        expect(state).toEqual({ username: 'test', purchases: {} });
        expect(status).toBe('New');
      });
  });

  it.each(['__proto__', 'constructor', 'toString'])('lists an order with the id %s', (order) => {
    given(customer, recorded(order))
      .when(recorded(order))
      .then(({ outcome, state }) => {
        expect(outcome).toBe('applied');
        expect(Object.entries(state.purchases)).toEqual([
          [order, { event: 'Mens Discus', qty: 5 }],
        ]);
      });
  });

  it('reaches the same state regardless of the order in which purchases are sent and how often each is sent', () => {
    const orders = ['A', 'B', 'C', 'D', 'E'];
    const purchase = (order: string) => ({
      event: `event of ${order}`,
      qty: orders.indexOf(order) + 1,
    });
    const posted = fc
      .tuple(fc.array(fc.constantFrom(...orders)), fc.shuffledSubarray(orders, { minLength: 5 }))
      .chain(([some, all]) =>
        fc.shuffledSubarray([...some, ...all], { minLength: some.length + 5 }),
      );
    fc.assert(
      fc.property(posted, (sequence) => {
        const events = sequence.map((order) =>
          recorded(order, ...(Object.values(purchase(order)) as [string, number])),
        );
        given(customer)
          .when(...(events as [TestEvent, ...TestEvent[]]))
          .then(({ state }) =>
            expect(state).toEqual({
              username: 'test',
              purchases: Object.fromEntries(orders.map((order) => [order, purchase(order)])),
            }),
          );
      }),
    );
  });
});
