import { describe, expect, it } from 'vitest';
import {
  eventOf,
  heldFor,
  type TicketsHistory,
  type TicketsView,
  ticketsPath,
} from '../support/models/ticket-timers.ts';
import { sharedService } from '../support/service/shared-service.ts';

const service = sharedService();

describe('timers on the running service', () => {
  it('are listed in the instance while they run, and fire when they are due', async () => {
    const now = Date.now();
    const dueAt = (event: number) => new Date(event + heldFor).toISOString();
    const soon = now + 1_500 - heldFor;
    const event = eventOf('MATCH', now);
    await service.post(
      event('1', 'event.created', { available: 4 }),
      event('2', 'tickets.reserved', { who: 'Wilma', qty: 1 }),
      event('3', 'tickets.reserved', { who: 'Barney', qty: 1 }),
      eventOf('MATCH', soon)('4', 'tickets.reserved', { who: 'Fred', qty: 1 }),
      event('5', 'payment.declined', { who: 'Barney' }),
    );
    const wilma = { name: 'reservation/Wilma', dueAt: dueAt(now) };
    const fred = { name: 'reservation/Fred', dueAt: dueAt(soon) };
    const { entries } = await service.eventually<TicketsHistory>(
      `${ticketsPath('MATCH')}/history`,
      (history) => history.entries.length === 6,
    );
    expect(entries.find(({ event }) => event.type === 'timer.fired')).toMatchObject({
      event: { type: 'timer.fired', source: 'milepost:clock', time: fred.dueAt, data: fred },
      outcome: 'applied',
    });
    const { body } = await service.ask<TicketsView>(ticketsPath('MATCH'));
    // Barney's timer was canceled, and Wilma's is not due yet.
    expect(body.timers).toEqual([wilma]);
    expect(body.state).toMatchObject({ available: 3, reservations: { Wilma: { qty: 1 } } });
  });
});
