import { fired, given } from 'milepost/testing';
import { describe, expect, it } from 'vitest';
import { tickets } from '../../models/tickets/model.ts';
import { isFull, type Stock } from '../../models/tickets/stock.ts';
import {
  authorized,
  created,
  declined,
  order,
  posted,
  purchased,
  reserved,
  start,
} from './ticket-events.ts';

describe('the state of a sports event', () => {
  const sale = (who: string, i: number) => ({ who, qty: 2, order: `${i}`.padStart(6, '0') });
  /** A sports event with acknowledged and pending sales, and with holds. */
  const stock = (sold: number, pending: number, holds: number, name = 'Fred'): Stock => {
    const sales = Array.from({ length: sold }, (_, i) => sale(name, i));
    const held = Array.from({ length: holds }, (_, i) => [`${name} ${i}`, { qty: 1, ts: start }]);
    return {
      name: 'test',
      available: 500,
      reservations: Object.fromEntries(held) as Stock['reservations'],
      sold_to: sales,
      pending: sales.slice(0, pending),
    };
  };
  const from = (state: Stock) => given(tickets).state(state, { version: tickets.version });

  it.each([
    ['7,000 acknowledged sales', stock(7_000, 0, 0)],
    ['3,500 pending sales', stock(3_500, 3_500, 0)],
    ['2,000 holds', stock(0, 0, 2_000)],
  ])('has room for more than %s', (_, state) => {
    from(state)
      .when(reserved('Amy', 2, 0), authorized('Amy', 1), purchased('Amy', 1, 2))
      .then(({ outcome, state: { sold_to } }) => {
        expect(outcome).toBe('applied');
        expect(sold_to).toHaveLength(state.sold_to.length + 2);
      });
  });

  it.each([
    ['acknowledged sales', stock(7_500, 0, 0)],
    ['pending sales', stock(3_750, 3_750, 0)],
    ['holds', stock(0, 0, 2_400)],
  ])('accepts no more sales and holds when it is full of %s', (_, state) => {
    for (const event of [purchased('Amy', 1, 1), reserved('Amy', 1, 1)])
      from(state)
        .when(event)
        .then(({ outcome, reason, state: { available } }) => {
          expect(outcome).toBe('rejected');
          expect(reason).toBe('the state has no room for more sales');
          expect(available).toBe(500);
        });
  });

  it.each([
    ['short', 'Fred'],
    ['180 emoji long', '🎟'.repeat(180)],
    ['250 emoji long', '🎟'.repeat(250)],
  ])(
    'always has room to pay for holds and to post sales again if the names of buyers are %s',
    (_, name) => {
      const names = Array.from({ length: 10 }, (_, i) => `${name} ${i}`);
      // Find the largest number of sales that leaves room for the holds.
      let [sold, tooMany] = [0, 10_000];
      while (tooMany - sold > 1) {
        const middle = Math.floor((sold + tooMany) / 2);
        if (isFull(stock(middle, 0, names.length - 1, name))) tooMany = middle;
        else sold = middle;
      }
      const holds = names.map((who) => reserved(who, 1, 0));
      const payments = names.map((who) => authorized(who, 1));
      from(stock(sold, 0, 0, name))
        .when(holds[0]!, ...holds.slice(1))
        .then(({ outcome, timers }) => {
          expect(outcome).toBe('applied');
          expect(timers).toHaveLength(names.length);
        });
      from(stock(sold, 0, 0, name))
        .when(holds[0]!, ...holds.slice(1), ...payments, fired('posting'))
        .then(({ outcome, state, sent }) => {
          expect(outcome).toBe('applied');
          expect(state.pending).toHaveLength(names.length);
          expect(sent).toHaveLength(2 * names.length);
        });
    },
  );
});

describe('the name of a buyer', () => {
  it.each([
    ...['__proto__', 'constructor', 'toString', 'a/b/c', 'Zoë 🎟'].map((who) => [who, who]),
    ['188 emoji', '🎟'.repeat(188)],
  ] as [what: string, who: string][])('can be %s', (_, who) => {
    given(tickets, created(10))
      .when(reserved(who, 2, 1))
      .then(({ outcome, state }) => {
        expect(outcome).toBe('applied');
        expect(Object.entries(state.reservations)).toEqual([[who, { qty: 2, ts: start + 1 }]]);
      });
    given(tickets, created(10), reserved(who, 2, 1))
      .when(fired(`reservation/${who}`))
      .then(({ state }) => expect(state).toMatchObject({ available: 10, reservations: {} }));
    given(tickets, created(10), reserved(who, 2, 1))
      .when({ ...authorized(who, 2), id: 'a1' })
      .then(({ state, sent }) => {
        expect(Object.keys(state.reservations)).toEqual([]);
        expect(sent).toEqual([posted(who, 2, order('a1'))]);
      });
    given(tickets, created(10))
      .when(declined(who, 2))
      .then(({ outcome }) => expect(outcome).toBe('rejected'));
  });

  // The transaction id of a customer can have 256 characters, but the name of a timer only 200.
  describe.each([
    ['189 ASCII characters', 'x'.repeat(189)],
    ['256 ASCII characters', 'x'.repeat(256)],
    ['256 emoji', '🎟'.repeat(256)],
  ])('of %s, which is too long for the name of a timer,', (_, who) => {
    const other = `y${Array.from(who).slice(1).join('')}`;
    const held = [created(10), reserved(who, 2, 1), reserved(other, 3, 2)];
    let timer = '';
    given(tickets, created(10))
      .when(reserved(who, 2, 1))
      .then(({ timers: [first] }) => {
        timer = first?.name ?? '';
      });

    it('identifies the buyer of a sale', () => {
      given(tickets, created(10))
        .when({ ...purchased(who, 2, 1), id: 'p1' })
        .then(({ state, sent }) => {
          expect(state.sold_to).toEqual([{ who, qty: 2, order: order('p1') }]);
          expect(sent).toEqual([posted(who, 2, order('p1'))]);
        });
    });

    it('identifies the hold that a timer ends', () => {
      given(tickets, ...held)
        .when(fired(timer))
        .then(({ outcome, state, timers }) => {
          expect(outcome).toBe('applied');
          expect(state).toMatchObject({ available: 7, reservations: { [other]: { qty: 3 } } });
          expect(Object.keys(state.reservations)).toEqual([other]);
          expect(timers).toHaveLength(1);
        });
    });

    it('identifies the hold that a payment ends', () => {
      given(tickets, ...held)
        .when(authorized(who, 5))
        .then(({ state, timers }) => {
          expect(state.sold_to).toMatchObject([{ who, qty: 2 }]);
          expect(Object.keys(state.reservations)).toEqual([other]);
          expect(timers.map(({ name }) => name)).not.toContain(timer);
        });
    });
  });

  it.each([
    ['be empty', '', 'a transaction id must have 1 to 256 characters'],
    ['have 257 characters', 'x'.repeat(257), 'a transaction id must have 1 to 256 characters'],
    ['contain a line break', 'a\nb', 'a transaction id must not have control characters'],
    ['contain a null character', 'a\u0000', 'a transaction id must not have control characters'],
    ['contain a lone surrogate', '\ud800', 'a transaction id must be well-formed Unicode'],
  ])('cannot %s', (_, who, reason) => {
    for (const event of [purchased(who, 1, 1), reserved(who, 1, 1), authorized(who, 1)])
      given(tickets, created(10))
        .when(event)
        .then((then) => {
          expect(then.outcome).toBe('rejected');
          expect(then.reason).toBe(`data: who: ${reason}`);
        });
  });
});
