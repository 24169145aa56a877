import { fired, given, type TestEvent } from 'milepost/testing';
import { describe, expect, it } from 'vitest';
import { tickets } from '../../models/tickets/model.ts';
import { isFull, noStock, type Stock } from '../../models/tickets/stock.ts';
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

  it('does not sell held tickets', () => {
    given(tickets, created(10), reserved('Fred', 8, 1))
      .when(purchased('Amy', 3, 2))
      .then(({ outcome, reason }) => {
        expect(outcome).toBe('rejected');
        expect(reason).toBe('only 2 tickets are available');
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

  it('rejects an acknowledgment from another customer or for an acknowledged order', () => {
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
        expect(reason).toBe(`the order ${order('p1')} from Fred is not pending`);
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
          expect(reason).toBe('only customer/Fred can acknowledge its orders');
          expect(state.pending).toHaveLength(3);
        });
    },
  );

  const again = fired('posting');

  it('is repeated four times with increasing delays', () => {
    const id = order('p1');
    const start = [created(500), { ...purchased('Fred', 3, 0), id: 'p1' }];
    const minutes = 60;
    const due = [1, 11, 71, 71 + 24 * 60];
    for (const [round, at_] of due.entries())
      given(tickets, ...start, ...due.slice(0, round).map(() => again))
        .when(declined('nobody', 1))
        .then(({ timers }) =>
          expect(timers).toEqual([{ name: 'posting', dueAt: at(at_ * minutes) }]),
        );
    given(tickets, ...start)
      .when(again, again, again, again)
      .then(({ sent, timers, state }) => {
        expect(sent).toEqual(Array.from({ length: 4 }, () => posted('Fred', 3, id)));
        expect(timers).toEqual([]);
        expect(state.pending).toHaveLength(1);
      });
  });

  it('is repeated after a delay that counts from its record time, even if the sale is older', () => {
    given(tickets, created(500))
      .when({ ...purchased('Fred', 1, 1), recordedAt: at(5000) })
      .then(({ timers }) => expect(timers).toEqual([{ name: 'posting', dueAt: at(5060) }]));
    given(tickets, ...sold)
      .when({ ...again, recordedAt: at(5000) })
      .then(({ timers }) => expect(timers).toEqual([{ name: 'posting', dueAt: at(5600) }]));
  });

  it('has one timer for all sales, which later sales do not postpone', () => {
    given(tickets, ...sold)
      .when(purchased('Jim', 1, 50))
      .then(({ timers }) => expect(timers).toEqual([{ name: 'posting', dueAt: at(61) }]));
    given(tickets, ...sold)
      .when(again)
      .then(({ sent, state }) => {
        expect(sent).toEqual([
          posted('Fred', 1, order('p1')),
          posted('Fred', 1, order('p2')),
          posted('Amy', 1, order('p3')),
        ]);
        expect(state.pending).toHaveLength(3);
      });
  });

  it('stops for an acknowledged sale, but continues for other sales', () => {
    given(tickets, ...sold, again, acknowledged('Fred', order('p1')))
      .when(again)
      .then(({ sent }) =>
        expect(sent).toEqual([posted('Fred', 1, order('p2')), posted('Amy', 1, order('p3'))]),
      );
    given(tickets, ...sold, again, acknowledged('Fred', order('p1')))
      .when(acknowledged('Fred', order('p2')), acknowledged('Amy', order('p3')))
      .then(({ timers, state }) => {
        expect(timers).toEqual([]);
        expect(state).not.toHaveProperty('reposting');
      });
  });

  it.each([1, 2, 3, 4])(
    'starts again with a delay of one minute if tickets are sold after round %i',
    (rounds) => {
      const before = [...sold, ...Array.from({ length: rounds }, () => again)];
      given(tickets, ...before)
        .when(purchased('Jim', 1, 200_000))
        .then(({ timers }) => expect(timers).toEqual([{ name: 'posting', dueAt: at(200_060) }]));
      given(tickets, ...before, purchased('Jim', 1, 200_000))
        .when(again)
        .then(({ sent }) => expect(sent).toHaveLength(4));
    },
  );

  describe('with many pending sales', () => {
    const many = 250;
    const sales = Array.from({ length: many }, (_, i) => ({
      ...purchased(`customer ${i}`, 1, 1),
      id: `p${i}`,
    }));
    const before = [created(500), ...sales];
    const orders = (sent: readonly unknown[]) =>
      sent.map((each) => (each as { data: { order: string } }).data.order);
    const all = sales.map(({ id }) => order(id));

    it('is repeated in batches, a second apart', () => {
      given(tickets, ...before)
        .when({ ...again, recordedAt: at(100) })
        .then(({ sent, timers }) => {
          expect(orders(sent)).toEqual(all.slice(0, 100));
          expect(timers).toEqual([{ name: 'posting', dueAt: at(101) }]);
        });
      given(tickets, ...before)
        .when(again, again, { ...again, recordedAt: at(100) })
        .then(({ sent, timers }) => {
          expect(orders(sent)).toEqual(all);
          expect(timers).toEqual([{ name: 'posting', dueAt: at(700) }]);
        });
    });

    it('is repeated once per round, even if tickets are sold or sales are acknowledged during the round', () => {
      const acknowledgedNow = [0, 50, 99, 100, 249].map((i) =>
        acknowledged(`customer ${i}`, order(`p${i}`)),
      );
      given(tickets, ...before, again, ...acknowledgedNow, {
        ...purchased('Jim', 1, 62),
        id: 'new',
      })
        .when(again, { ...again, recordedAt: at(100) })
        .then(({ sent, timers }) => {
          expect(orders(sent)).toEqual([...all.slice(101, 249), order('new')]);
          // After a sale, the delay before the next round is that after a first round.
          expect(timers).toEqual([{ name: 'posting', dueAt: at(700) }]);
        });
    });
  });
});

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
  ])('of %s, which is too long for the name of a timer', (_, who) => {
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
