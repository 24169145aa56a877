import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { customer } from '../../models/customer/model.ts';
import { tickets } from '../../models/tickets/model.ts';
import type { Sale, Stock } from '../../models/tickets/stock.ts';
import type { Effect } from '../../src/core/effects/effect.ts';
import { timerEvent } from '../../src/core/effects/timer.ts';
import type { TrackedEvent } from '../../src/core/event/event.ts';
import { type FoldStep, foldEvent } from '../../src/core/history/fold.ts';
import type { Snapshot } from '../../src/core/history/snapshot.ts';
import type { Json } from '../../src/core/json/json.ts';
import type { Model } from '../../src/core/model/model.ts';

const sportsEvent = 'Womens Javelin';
const people = ['Fred', 'Amy', 'Jim', 'constructor'];
const models: Record<string, Model> = { tickets, customer } as unknown as Record<string, Model>;

type Message = Omit<TrackedEvent, 'id' | 'time'> & { readonly time?: string };

/** A sports event and its customers. Events between them are delivered only when the test requests it. */
class World {
  readonly instances = new Map<string, Snapshot>();
  readonly undelivered: Message[] = [];
  #events = 0;

  /**
   * Delivers a message as an event with a new id, so the model itself must recognize a message that is delivered twice.
   */
  apply({ time, ...message }: Message): FoldStep {
    const { model, transaction } = message;
    const key = `${model}/${transaction}`;
    const at = new Date(Date.UTC(2026, 0, 1) + this.#events * 1000).toISOString();
    const event = { ...message, id: `e${this.#events++}`, time: time ?? at };
    return this.#take(key, foldEvent(models[model]!, this.instances.get(key), event));
  }

  /** Fires one of the running timers, if any. */
  fire(choice: number): void {
    const timers = this.tickets?.timers ?? [];
    const timer = timers[choice % timers.length];
    if (!timer) return;
    const key = { model: 'tickets', transaction: sportsEvent };
    const fired = timerEvent(key, timer) as unknown as TrackedEvent;
    const name = `tickets/${sportsEvent}`;
    this.#take(name, foldEvent(models.tickets!, this.tickets, { ...fired, ...key }));
  }

  #take(key: string, taken: FoldStep): FoldStep {
    this.instances.set(key, taken.after);
    for (const effect of taken.effects as readonly Effect[]) {
      if (effect.kind !== 'emit') continue;
      const { model, transaction, type, data } = effect;
      this.undelivered.push({ model, transaction, type, data, source: `milepost:${key}` });
    }
    return taken;
  }

  get tickets() {
    return this.instances.get(`tickets/${sportsEvent}`);
  }
  get stock(): Stock {
    return this.tickets!.state as Stock;
  }
  purchasesOf(who: string): Record<string, { event: string; qty: number }> {
    const state = this.instances.get(`customer/${who}`)?.state as
      | { purchases: Record<string, { event: string; qty: number }> }
      | undefined;
    return state?.purchases ?? {};
  }
}

const toTickets = (type: string, data: Json): Message => ({
  model: 'tickets',
  transaction: sportsEvent,
  source: 'shop',
  type,
  data,
});
const who = fc.constantFrom(...people);
const index = fc.nat({ max: 1000 });
const request = fc.record({ who, qty: fc.integer({ min: -1, max: 9 }) });

/** The possible actions, in any order. */
const happening = fc.oneof(
  ...['tickets.purchased', 'tickets.reserved'].map((type) =>
    request.map((data) => (world: World) => void world.apply(toTickets(type, data))),
  ),
  ...['payment.authorized', 'payment.declined'].map((type) =>
    who.map((who) => (world: World) => void world.apply(toTickets(type, { who }))),
  ),
  fc.constant((world: World) => void world.apply(toTickets('event.created', { available: 9 }))),
  index.map((choice) => (world: World) => world.fire(choice)),
  // Deliver an event in flight out of order, twice, or never.
  fc
    .tuple(index, fc.constantFrom('once', 'twice', 'never'))
    .map(([choice, how]) => (world: World) => {
      const at = choice % Math.max(world.undelivered.length, 1);
      const message = world.undelivered[at];
      if (!message) return;
      if (how !== 'twice') world.undelivered.splice(at, 1);
      if (how !== 'never') world.apply(message);
    }),
);
const story = fc.tuple(fc.integer({ min: 0, max: 30 }), fc.array(happening, { maxLength: 60 }));

const sum = (of: readonly { readonly qty: number }[]) =>
  of.reduce((total, { qty }) => total + qty, 0);
const ordersOf = (sales: readonly Sale[]) => sales.map(({ order }) => order);

function check(world: World, total: number): void {
  const { available, reservations, sold_to, pending } = world.stock;
  const held = Object.values(reservations);
  expect(available).toBeGreaterThanOrEqual(0);
  expect(available + sum(held) + sum(sold_to)).toBe(total);
  for (const { qty } of [...held, ...sold_to]) expect(qty).toBeGreaterThanOrEqual(1);
  expect(new Set(ordersOf(sold_to)).size).toBe(sold_to.length);
  const timers = world.tickets!.timers.map(({ name }) => name);
  const holds = timers.filter((name) => name.startsWith('reservation/'));
  expect(holds.toSorted()).toEqual(
    Object.keys(reservations)
      .map((name) => `reservation/${name}`)
      .toSorted(),
  );
  // Every sale that is not acknowledged is pending, and every pending sale was sold.
  const unheard = sold_to.filter(({ who, order }) => !Object.hasOwn(world.purchasesOf(who), order));
  expect(pending).toEqual(expect.arrayContaining(unheard));
  expect(sold_to).toEqual(expect.arrayContaining([...pending]));
}

describe('tickets and customers, in any sequence of events', () => {
  it('never oversell, lose a ticket, or forget an unacknowledged sale', () => {
    fc.assert(
      fc.property(story, ([available, happenings]) => {
        const world = new World();
        world.apply(toTickets('event.created', { available }));
        for (const happen of happenings) {
          happen(world);
          check(world, available);
        }
      }),
    );
  });

  it('list each order at most once, and eventually list every order that is still being posted', () => {
    fc.assert(
      fc.property(story, ([available, happenings]) => {
        const world = new World();
        world.apply(toTickets('event.created', { available }));
        for (const happen of happenings) happen(world);
        // From now on, deliver every event, and fire timers until none is running.
        const pendingNow = ordersOf(world.stock.pending);
        const coming = (order: string) =>
          world.undelivered.some(({ data }) => (data as { order: string }).order === order) ||
          world.tickets!.timers.some(({ name }) => name === 'posting');
        const reachable = pendingNow.filter(coming);
        for (let guard = 0; world.undelivered.length + world.tickets!.timers.length > 0; guard++) {
          expect(guard).toBeLessThan(2000);
          const message = world.undelivered.shift();
          if (message) world.apply(message);
          else world.fire(0);
        }
        check(world, available);
        const { sold_to, pending } = world.stock;
        expect(ordersOf(pending).filter((order) => reachable.includes(order))).toEqual([]);
        const settled = sold_to.filter((sale) => !pending.includes(sale));
        for (const { who, order, qty } of settled)
          expect(world.purchasesOf(who)[order]).toEqual({ event: sportsEvent, qty });
        const listed = people.flatMap((name) => Object.keys(world.purchasesOf(name)));
        expect(new Set(listed).size).toBe(listed.length);
        expect(ordersOf(sold_to)).toEqual(expect.arrayContaining(listed));
      }),
    );
  });
});
