import { fired, given, type TestEvent } from 'milepost/testing';
import { describe, expect, it } from 'vitest';
import { tickets } from '../../models/tickets/model.ts';
import { acknowledged, at, created, declined, order, posted, purchased } from './ticket-events.ts';

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

  it('is repeated after a delay that starts when the latest posting is recorded, even if the sale is older', () => {
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
          // After a sale, the delay before the next round is the same as after the first round.
          expect(timers).toEqual([{ name: 'posting', dueAt: at(700) }]);
        });
    });
  });
});
