import { fired, given, type TestEvent } from 'milepost/testing';
import { describe, expect, it } from 'vitest';
import { tickets } from '../../models/tickets/model.ts';
import { noStock } from '../../models/tickets/stock.ts';
import {
  at,
  authorized,
  created,
  declined,
  order,
  posted,
  purchased,
  reserved,
  start,
} from './ticket-events.ts';

describe('the sports event of a tickets instance', () => {
  it('is created with its available tickets', () => {
    given(tickets)
      .when(created(500))
      .then(({ outcome, state, status, sent, timers }) => {
        expect(outcome).toBe('applied');
        expect(state).toEqual({
          name: 'test',
          available: 500,
          reservations: {},
          sold_to: [],
          pending: [],
        });
        expect(status).toBe('On sale');
        expect([...sent, ...timers]).toEqual([]);
      });
  });

  it('can be created after earlier events were rejected', () => {
    given(tickets)
      .when(purchased('Fred', 1, 0))
      .then(({ outcome, reason, state }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toBe('test has not been created yet');
        expect(state).toEqual(noStock);
      });
    given(tickets)
      .when(reserved('Fred', 1, 0), created(5))
      .then(({ outcome, state }) => {
        expect(outcome).toBe('applied');
        expect(state).toMatchObject({ name: 'test', available: 5, reservations: {} });
      });
  });

  it.each([5, 0])('is created only once, even with %i tickets', (available) => {
    given(tickets, created(available))
      .when({ ...created(7), time: at(1) })
      .then(({ outcome, reason, state }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toContain('already exists');
        expect(state.available).toBe(available);
      });
  });

  it.each([[{}], [{ available: -1 }], [{ available: 1.5 }], [{ available: '5' }], [null]])(
    'is not created with the data %j',
    (data) => {
      given(tickets)
        .when({ type: 'event.created', data })
        .then(({ outcome, reason, state }) => {
          expect(outcome).toBe('rejected');
          expect(reason).toContain('data: ');
          expect(state).toEqual(noStock);
        });
    },
  );
});

describe('tickets.purchased', () => {
  it('sells available tickets and posts the sale to the customer', () => {
    given(tickets, created(500))
      .when({ ...purchased('Fred', 5, 1), id: 'p1' })
      .then(({ state, status, sent }) => {
        const sale = { who: 'Fred', qty: 5, order: order('p1') };
        expect(sale.order).toMatch(/^[A-Z0-9]{6}$/);
        expect(state).toEqual({
          name: 'test',
          available: 495,
          reservations: {},
          sold_to: [sale],
          pending: [sale],
        });
        expect(status).toBe('On sale');
        expect(sent).toEqual([posted('Fred', 5, order('p1'))]);
      });
  });

  it('sells the last tickets but no more', () => {
    given(tickets, created(10))
      .when(purchased('Fred', 11, 1))
      .then(({ outcome, reason, state, sent }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toBe('only 10 tickets are available');
        expect(state).toMatchObject({ available: 10, sold_to: [] });
        expect(sent).toEqual([]);
      });
    given(tickets, created(10))
      .when(purchased('Fred', 9, 1), purchased('Amy', 2, 2), purchased('Jim', 1, 3))
      .then(({ state, statuses }) => {
        expect(statuses).toEqual(['On sale', 'On sale', 'Sold out']);
        expect(state.available).toBe(0);
        expect(state.sold_to.map(({ who, qty }) => [who, qty])).toEqual([
          ['Fred', 9],
          ['Jim', 1],
        ]);
      });
  });

  it.each([
    [8, 'only 2 tickets are available'],
    [9, 'only 1 ticket is available'],
    [10, 'only 0 tickets are available'],
  ])('does not sell held tickets if %d tickets are held', (held, expected) => {
    given(tickets, created(10), reserved('Fred', held, 1))
      .when(purchased('Amy', 3, 2))
      .then(({ outcome, reason }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toBe(expected);
      });
  });
});

it.each(['tickets.purchased', 'tickets.reserved'])(
  '%s is rejected with an invalid quantity or without a buyer',
  (type) => {
    const nothings = [0, -1, 1.5, '5', null, 2 ** 53].map((qty) => ({ who: 'Fred', qty }));
    const all: TestEvent['data'][] = [...nothings, {}, { who: 'Fred' }, { qty: 1 }, 'Fred'];
    for (const data of all)
      given(tickets, created(500))
        .when({ type, data })
        .then(({ outcome, reason, state }) => {
          expect(outcome).toBe('rejected');
          expect(reason).toContain('data: ');
          expect(state.available).toBe(500);
        });
  },
);

describe('tickets.reserved', () => {
  it('holds tickets for 30 seconds', () => {
    given(tickets, created(500))
      .when(reserved('Fred', 5, 10))
      .then(({ state, status, timers, sent }) => {
        expect(state).toEqual({
          name: 'test',
          available: 495,
          reservations: { Fred: { qty: 5, ts: start + 10 } },
          sold_to: [],
          pending: [],
        });
        expect(status).toBe('On sale');
        expect(timers).toEqual([{ name: 'reservation/Fred', dueAt: at(40) }]);
        expect(sent).toEqual([]);
      });
  });

  it('allows a customer one hold at a time', () => {
    given(tickets, created(500), reserved('Fred', 5, 1))
      .when(reserved('Fred', 2, 2))
      .then(({ outcome, reason, state, timers }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toBe('Fred already holds tickets');
        expect(state.reservations.Fred).toEqual({ qty: 5, ts: start + 1 });
        expect(timers).toEqual([{ name: 'reservation/Fred', dueAt: at(31) }]);
      });
    given(tickets, created(500), reserved('Fred', 5, 1), declined('Fred', 2))
      .when(reserved('Fred', 2, 3))
      .then(({ state }) => expect(state).toMatchObject({ available: 498 }));
  });

  it('holds no more than the available tickets', () => {
    given(tickets, created(10), reserved('Fred', 8, 1))
      .when(reserved('Amy', 3, 2))
      .then(({ outcome, reason, state }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toBe('only 2 tickets are available');
        expect(Object.keys(state.reservations)).toEqual(['Fred']);
      });
  });

  it('changes the status to Held if it holds the last tickets, until they are sold or become available again', () => {
    given(tickets, created(10))
      .when(
        reserved('Fred', 10, 1),
        declined('Fred', 2),
        reserved('Amy', 10, 3),
        authorized('Amy', 4),
      )
      .then(({ statuses }) => expect(statuses).toEqual(['Held', 'On sale', 'Held', 'Sold out']));
  });

  it('releases tickets that are not paid for in time', () => {
    given(tickets, created(500), reserved('Fred', 5, 1), reserved('Amy', 7, 2))
      .when(fired('reservation/Fred'))
      .then(({ outcome, state, timers, sent }) => {
        expect(outcome).toBe('applied');
        expect(state).toMatchObject({ available: 493, sold_to: [], pending: [] });
        expect(Object.keys(state.reservations)).toEqual(['Amy']);
        expect(timers.map(({ name }) => name)).toEqual(['reservation/Amy']);
        expect(sent).toEqual([]);
      });
  });

  it('holds tickets for 30 seconds even if the clock of the producer is ahead', () => {
    given(tickets, created(500))
      .when({ ...reserved('Fred', 5, 7200), recordedAt: at(10) })
      .then(({ state, timers }) => {
        expect(state.reservations).toEqual({ Fred: { qty: 5, ts: start + 7200 } });
        expect(timers).toEqual([{ name: 'reservation/Fred', dueAt: at(40) }]);
      });
  });

  it('results in the states that the example in the specification shows when holds expire', () => {
    const now = 100;
    const javelin = [
      reserved('Fred', 5, now),
      reserved('Jim', 7, now - 50),
      reserved('Amy', 19, now - 31),
    ];
    given(tickets, created(500), ...javelin)
      .when(declined('nobody', now))
      .then(({ state, timers }) => {
        expect(state.available).toBe(469);
        expect(timers).toEqual([
          { name: 'reservation/Jim', dueAt: at(now - 20) },
          { name: 'reservation/Amy', dueAt: at(now - 1) },
          { name: 'reservation/Fred', dueAt: at(now + 30) },
        ]);
      });
    given(tickets, created(500), ...javelin)
      .when(fired('reservation/Jim'), fired('reservation/Amy'))
      .then(({ state }) =>
        expect(state).toEqual({
          name: 'test',
          available: 495,
          reservations: { Fred: { qty: 5, ts: start + now } },
          sold_to: [],
          pending: [],
        }),
      );
  });
});

describe('a payment for held tickets', () => {
  it('turns the hold into a sale and posts the sale', () => {
    given(tickets, created(500), reserved('Fred', 5, 1))
      .when({ ...authorized('Fred', 2), id: 'a1' })
      .then(({ state, sent, timers }) => {
        const sale = { who: 'Fred', qty: 5, order: order('a1') };
        expect(state).toEqual({
          name: 'test',
          available: 495,
          reservations: {},
          sold_to: [sale],
          pending: [sale],
        });
        expect(sent).toEqual([posted('Fred', 5, order('a1'))]);
        expect(timers.map(({ name }) => name)).not.toContain('reservation/Fred');
      });
  });

  it.each([30, 31, 1000])(
    'is rejected %i seconds after the reservation, even if the timer has not fired',
    (seconds) => {
      given(tickets, created(500), reserved('Fred', 5, 1))
        .when(authorized('Fred', 1 + seconds))
        .then(({ outcome, reason, state, sent, timers }) => {
          expect(outcome).toBe('rejected');
          expect(reason).toBe(`the hold for Fred ended at ${at(31)}`);
          expect(state).toMatchObject({ available: 495, sold_to: [] });
          expect(sent).toEqual([]);
          expect(timers).toEqual([{ name: 'reservation/Fred', dueAt: at(31) }]);
        });
      given(tickets, created(500), reserved('Fred', 5, 1))
        .when(authorized('Fred', 1 + seconds), fired('reservation/Fred'))
        .then(({ state }) => expect(state).toMatchObject({ available: 500, reservations: {} }));
    },
  );

  it('is accepted until the hold ends, even if it is recorded later', () => {
    given(tickets, created(500), reserved('Fred', 5, 1))
      .when({ ...authorized('Fred', 30.9), recordedAt: at(40) })
      .then(({ outcome }) => expect(outcome).toBe('applied'));
  });

  it('releases the hold if it is declined after the hold ended', () => {
    given(tickets, created(500), reserved('Fred', 5, 1))
      .when(declined('Fred', 100))
      .then(({ state, timers }) => {
        expect(state).toMatchObject({ available: 500, reservations: {} });
        expect(timers).toEqual([]);
      });
  });

  it('releases the hold if it is declined', () => {
    given(tickets, created(500), reserved('Fred', 5, 1))
      .when(declined('Fred', 2))
      .then(({ state, sent, timers }) => {
        expect(state).toMatchObject({ available: 500, reservations: {}, sold_to: [], pending: [] });
        expect([...sent, ...timers]).toEqual([]);
      });
  });

  it.each([authorized('Amy', 2), declined('Amy', 2)])(
    'without a hold is rejected: $type',
    (payment) => {
      given(tickets, created(500), reserved('Fred', 5, 1))
        .when(payment)
        .then(({ outcome, reason, state }) => {
          expect(outcome).toBe('rejected');
          expect(reason).toBe('Amy holds no tickets');
          expect(state).toMatchObject({ available: 495, sold_to: [] });
        });
      given(tickets, created(500), reserved('Amy', 5, 1), authorized('Amy', 2))
        .when(payment)
        .then(({ outcome }) => expect(outcome).toBe('rejected'));
    },
  );
});
