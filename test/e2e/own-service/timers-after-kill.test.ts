import { describe, expect, it } from 'vitest';
import {
  eventOf,
  heldFor,
  type TicketsHistory,
  type TicketsView,
  ticketsPath,
} from '../../support/models/ticket-timers.ts';
import { deployedFolder } from '../../support/service/deployed-folder.ts';
import { Service } from '../../support/service/service.ts';

describe('the timers of a service that is killed', () => {
  it('fire exactly once, whether they are due before or after the restart', async () => {
    const data = await deployedFolder();
    const matches = Array.from({ length: 20 }, (_, n) => `MATCH-${n}`);
    const killed = await Service.start({ MILEPOST_DATA: data });
    const first = Date.now() + 1_000;
    const posted = matches.flatMap((match, n) => {
      const event = eventOf(match, first + 200 * n - heldFor);
      return [
        event('1', 'event.created', { available: 1 }),
        event('2', 'tickets.reserved', { who: 'Fred', qty: 1 }),
      ];
    });
    await killed.post(...posted);
    // Some timers are due before the kill, some while the service is down, and some after the restart.
    await killed.eventually<TicketsHistory>(
      `${ticketsPath(matches[4]!)}/history`,
      ({ entries }) => entries.length === 3,
    );
    await killed.stop('SIGKILL');

    const restarted = await Service.start({ MILEPOST_DATA: data });
    for (const match of matches) {
      const { entries } = await restarted.eventually<TicketsHistory>(
        `${ticketsPath(match)}/history`,
        (history) => history.entries.length >= 3,
      );
      expect(entries.map(({ event }) => event.type)).toEqual([
        'event.created',
        'tickets.reserved',
        'timer.fired',
      ]);
      expect((await restarted.ask<TicketsView>(ticketsPath(match))).body).toMatchObject({
        timers: [],
        state: { available: 1, reservations: {} },
      });
    }
    await restarted.stop();
  }, 60_000);
});
