import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { instancePath, Service } from '../support/service.ts';

/** How long the model `tickets` holds tickets for somebody, in milliseconds. */
const heldFor = 30_000;

interface Shown {
  readonly status: string;
  readonly timers: readonly { readonly name: string; readonly dueAt: string }[];
  readonly state: { readonly available: number; readonly reservations: object };
}

interface History {
  readonly entries: readonly {
    readonly event: {
      readonly type: string;
      readonly source: string;
      readonly time: string;
      readonly data: { readonly name?: string };
    };
    readonly outcome: string;
    readonly state: Shown['state'];
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

describe('timers', () => {
  it('run, are shown, and fire when they are due', async () => {
    const service = await Service.start();
    const due = Date.now() + 3_000;
    const event = eventOf('MATCH', due - heldFor);
    await service.post(
      event('1', 'event.created', { available: 3 }),
      event('2', 'tickets.reserved', { who: 'Fred', qty: 1 }),
      event('3', 'tickets.reserved', { who: 'Wilma', qty: 2 }),
      event('4', 'payment.declined', { who: 'Fred' }),
    );
    const running = await service.eventually<Shown>(
      path('MATCH'),
      ({ timers, state }) => timers.length === 1 && state.available === 1,
    );
    const dueAt = new Date(due).toISOString();
    expect(running.timers).toEqual([{ name: 'reservation/Wilma', dueAt }]);

    const fired = await service.eventually<Shown>(path('MATCH'), (now) => now.timers.length === 0);
    expect(fired.state).toMatchObject({ available: 3, reservations: {} });
    const { body } = await service.ask<History>(`${path('MATCH')}/history`);
    expect(body.entries.slice(4)).toMatchObject([
      {
        event: {
          type: 'timer.fired',
          source: 'milepost',
          time: dueAt,
          data: { name: 'reservation/Wilma', dueAt },
        },
        outcome: 'applied',
      },
    ]);
    expect((await service.stop()).stderr).not.toMatch(/failed/);
  });

  it('of before a kill -9 fire after it, each once', async () => {
    const data = await mkdtemp(join(tmpdir(), 'milepost-timers-'));
    const matches = Array.from({ length: 60 }, (_, n) => `MATCH-${n}`);
    let service = await Service.start({ MILEPOST_DATA: data });
    // Some are due before the kill, some while nothing runs, and some after it.
    const first = Date.now() + 2_000;
    const posted = matches.flatMap((match, n) => {
      const event = eventOf(match, first + 100 * n - heldFor);
      return [
        event('1', 'event.created', { available: 1 }),
        event('2', 'tickets.reserved', { who: 'Fred', qty: 1 }),
      ];
    });
    await service.post(...posted);
    for (const match of matches)
      await service.eventually<History>(`${path(match)}/history`, (now) => now.entries.length >= 2);
    await pause(first + 1_000 - Date.now());
    await service.stop('SIGKILL');

    service = await Service.start({ MILEPOST_DATA: data });
    for (const match of matches) {
      const { timers, state } = await service.eventually<Shown>(
        path(match),
        (now) => now.timers.length === 0,
      );
      expect(timers).toEqual([]);
      expect(state).toMatchObject({ available: 1, reservations: {} });
      const { body } = await service.ask<History>(`${path(match)}/history`);
      expect(body.entries.map(({ event }) => event.type)).toEqual([
        'event.created',
        'tickets.reserved',
        'timer.fired',
      ]);
    }
    await service.stop();
    await rm(data, { recursive: true, force: true });
  }, 60_000);
});
