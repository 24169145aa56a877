import { fired, given, type TestEvent } from 'milepost/testing';
import { describe, expect, it } from 'vitest';
import { tickets } from '../../models/tickets/model.ts';
import { noStock } from '../../models/tickets/stock.ts';
import { tokenOf } from '../../src/core/event/token.ts';

const start = Date.parse('2026-01-01T00:00:00Z') / 1000;
const at = (seconds: number) => new Date((start + seconds) * 1000).toISOString();

const created = (available: number): TestEvent => ({
  type: 'event.created',
  data: { available },
  time: at(0),
});
const asked = (type: string) => (who: string, qty: number, seconds: number) => ({
  type,
  data: { who, qty },
  time: at(seconds),
});
const purchased = asked('tickets.purchased');
const reserved = asked('tickets.reserved');
const authorized = (who: string, seconds: number) => ({
  type: 'payment.authorized',
  data: { who },
  time: at(seconds),
});
const declined = (who: string, seconds: number) => ({
  ...authorized(who, seconds),
  type: 'payment.declined',
});
const acknowledged = (who: string, order: string): TestEvent => ({
  type: 'purchase.acknowledged',
  source: `milepost:customer/${who}`,
  data: { who, order },
});
const order = (id: string) => tokenOf({ source: 'test', id });
/** The event that posts a sale to a customer. In tests, the transaction id of the sports event is `test`. */
const posted = (who: string, qty: number, of: string) => ({
  kind: 'emit',
  model: 'customer',
  transaction: who,
  type: 'purchase.recorded',
  data: { order: of, event: 'test', qty },
});

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
        expect(reason).toBe('test is not created yet');
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
        expect(reason).toContain('already created');
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

  it('does not sell held tickets', () => {
    given(tickets, created(10), reserved('Fred', 8, 1))
      .when(purchased('Amy', 3, 2))
      .then(({ outcome, reason }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toBe('only 2 tickets are available');
      });
  });

  it.each(['tickets.purchased', 'tickets.reserved'])(
    'rejects `%s` with an invalid quantity or without a buyer',
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
});

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

  it('results in the specified output when holds expire', () => {
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
  it('turns a hold into a sale and posts it', () => {
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

  it('that is declined releases the hold', () => {
    given(tickets, created(500), reserved('Fred', 5, 1))
      .when(declined('Fred', 2))
      .then(({ state, sent, timers }) => {
        expect(state).toMatchObject({ available: 500, reservations: {}, sold_to: [], pending: [] });
        expect([...sent, ...timers]).toEqual([]);
      });
  });

  it.each([authorized('Amy', 2), declined('Amy', 2)])('without a hold is rejected', (payment) => {
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
  });
});

describe('the posting of a sale to its customer', () => {
  const sold = [
    created(500),
    { ...purchased('Fred', 1, 1), id: 'p1' },
    { ...purchased('Fred', 1, 2), id: 'p2' },
    { ...purchased('Amy', 1, 3), id: 'p3' },
  ];
  const pendingAfter = (...events: [TestEvent, ...TestEvent[]]) => {
    let pending: string[] = [];
    given(tickets, ...sold)
      .when(...events)
      .then(({ state }) => {
        pending = state.pending.map((sale) => sale.order);
        expect(state.sold_to).toHaveLength(3);
      });
    return pending;
  };

  it('ends with the acknowledgment of the sale, in any sequence of acknowledgments', () => {
    expect(pendingAfter(acknowledged('Fred', order('p2')))).toEqual([order('p1'), order('p3')]);
    expect(
      pendingAfter(
        acknowledged('Amy', order('p3')),
        acknowledged('Fred', order('p1')),
        acknowledged('Fred', order('p2')),
      ),
    ).toEqual([]);
  });

  it('ends only once: the acknowledgment of an unknown or completed order is rejected', () => {
    given(tickets, ...sold)
      .when(acknowledged('Amy', order('p1')))
      .then(({ outcome, state }) => {
        expect(outcome).toBe('rejected');
        expect(state.pending).toHaveLength(3);
      });
    given(tickets, ...sold, acknowledged('Fred', order('p1')))
      .when(acknowledged('Fred', order('p1')))
      .then(({ outcome, reason, state }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toBe(`the order ${order('p1')} of Fred is not pending`);
        expect(state.pending).toHaveLength(2);
      });
  });

  it.each(['shop', 'milepost:customer/Amy', 'milepost:customer'])(
    'does not end with an acknowledgment from %s',
    (source) => {
      given(tickets, ...sold)
        .when({ ...acknowledged('Fred', order('p1')), source })
        .then(({ outcome, reason, state }) => {
          expect(outcome).toBe('rejected');
          expect(reason).toBe('only customer/Fred acknowledges its orders');
          expect(state.pending).toHaveLength(3);
        });
    },
  );

  it('is repeated a limited number of times with increasing delays', () => {
    const id = order('p1');
    const timer = (pause: string) => `posting/${id}/${pause}`;
    const again = ['PT1M', 'PT10M', 'PT1H', 'P1D'].map((pause) => fired(timer(pause)));
    const start = [created(500), { ...purchased('Fred', 3, 0), id: 'p1' }];
    const minutes = 60;
    given(tickets, ...start)
      .when(again[0]!)
      .then(({ sent, timers, state }) => {
        expect(sent).toEqual([posted('Fred', 3, id)]);
        expect(timers).toEqual([{ name: timer('PT10M'), dueAt: at(11 * minutes) }]);
        expect(state.pending).toHaveLength(1);
      });
    given(tickets, ...start)
      .when(again[0]!, again[1]!, again[2]!)
      .then(({ timers }) =>
        expect(timers).toEqual([{ name: timer('P1D'), dueAt: at((71 + 24 * 60) * minutes) }]),
      );
    given(tickets, ...start)
      .when(again[0]!, again[1]!, again[2]!, again[3]!)
      .then(({ sent, timers, state }) => {
        expect(sent).toEqual(Array.from({ length: 4 }, () => posted('Fred', 3, id)));
        expect(timers).toEqual([]);
        expect(state.pending).toHaveLength(1);
      });
  });

  it('stops after the acknowledgment, but continues for other sales', () => {
    const timer = (id: string, pause: string) => `posting/${order(id)}/${pause}`;
    given(tickets, ...sold)
      .when(fired(timer('p1', 'PT1M')), acknowledged('Fred', order('p1')))
      .then(({ timers }) =>
        expect(timers.map(({ name }) => name)).toEqual([timer('p2', 'PT1M'), timer('p3', 'PT1M')]),
      );
  });
});

describe('the name of a buyer', () => {
  it.each(['__proto__', 'constructor', 'toString', 'a/b/c', 'Zoë 🎟', '🎟'.repeat(188)])(
    'can be %s',
    (who) => {
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
    },
  );

  it.each(['', 'x'.repeat(189), 'a\nb', 'a\u0000', '\ud800'])('cannot be %j', (who) => {
    for (const event of [purchased(who, 1, 1), reserved(who, 1, 1), authorized(who, 1)])
      given(tickets, created(10))
        .when(event)
        .then(({ outcome, reason }) => {
          expect(outcome).toBe('rejected');
          expect(reason).toBe(
            'data: who: must have 1 to 188 characters, and no control characters',
          );
        });
  });
});
