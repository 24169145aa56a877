import { describe, expect, it } from 'vitest';
import { deployedFolder } from '../support/deployed-folder.ts';
import { instancePath, Service } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';

/** How long the model `tickets` holds tickets for somebody, in milliseconds. */
const heldFor = 30_000;

interface Shown {
  readonly timers: readonly { readonly name: string; readonly dueAt: string }[];
  readonly state: { readonly available: number; readonly reservations: object };
}

interface History {
  readonly entries: readonly {
    readonly event: {
      readonly type: string;
      readonly source: string;
      readonly time: string;
      readonly data: object;
    };
    readonly outcome: string;
  }[];
}

/** An event of a sports event; one that happened a while ago has its timer due the sooner. */
const eventOf =
  (transactionid: string, happened: number) => (id: string, type: string, data: object) => ({
    id,
    type,
    data,
    source: 'box-office',
    modelid: 'tickets',
    transactionid,
    time: new Date(happened).toISOString(),
  });

const path = (transaction: string) => instancePath('tickets', transaction);

const service = sharedService();

describe('timers', () => {
  it('run, are shown, and fire when they are due', async () => {
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
    const { entries } = await service.eventually<History>(
      `${path('MATCH')}/history`,
      (history) => history.entries.length === 6,
    );
    expect(entries.find(({ event }) => event.type === 'timer.fired')).toMatchObject({
      event: { type: 'timer.fired', source: 'milepost:clock', time: fred.dueAt, data: fred },
      outcome: 'applied',
    });
    const { body } = await service.ask<Shown>(path('MATCH'));
    // Barney's was cancelled, and Wilma's is not due.
    expect(body.timers).toEqual([wilma]);
    expect(body.state).toMatchObject({ available: 3, reservations: { Wilma: { qty: 1 } } });
  });

  it('of before a kill -9 fire after it, each once', async () => {
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
    // Some are due before the kill, some while nothing runs, and some after it.
    await killed.eventually<History>(
      `${path(matches[4]!)}/history`,
      ({ entries }) => entries.length === 3,
    );
    await killed.stop('SIGKILL');

    const restarted = await Service.start({ MILEPOST_DATA: data });
    for (const match of matches) {
      const { entries } = await restarted.eventually<History>(
        `${path(match)}/history`,
        (history) => history.entries.length >= 3,
      );
      expect(entries.map(({ event }) => event.type)).toEqual([
        'event.created',
        'tickets.reserved',
        'timer.fired',
      ]);
      expect((await restarted.ask<Shown>(path(match))).body).toMatchObject({
        timers: [],
        state: { available: 1, reservations: {} },
      });
    }
    await restarted.stop();
  }, 60_000);
});
