import { expect } from 'vitest';
import { instancePath } from '../../support/service/service.ts';
import type { World } from '../world/world.ts';

interface History {
  readonly entries: readonly {
    readonly event: { readonly id: string };
    readonly outcome: string;
  }[];
}
interface DeadLetters {
  readonly deadLetters: readonly { readonly id: string; readonly reason: string }[];
}

/** An event that starts an instance of the model `tickets`. */
export const created = (transactionid: string, id = 'e1') => ({
  id,
  type: 'event.created',
  modelid: 'tickets',
  transactionid,
  data: { available: 4 },
});

/** Waits until an instance has applied exactly the given events, in this order, and has no parked events. */
export async function hasApplied(
  world: World,
  model: string,
  transaction: string,
  ids: readonly string[],
): Promise<void> {
  const path = instancePath(model, transaction);
  const { entries } = await world.eventually<History>(
    `${path}/history`,
    (history) => history.entries.length >= ids.length,
  );
  expect(entries.map(({ event, outcome }) => `${event.id} ${outcome}`)).toEqual(
    ids.map((id) => `${id} applied`),
  );
  await world.eventually<{ parked: number }>(path, ({ parked }) => parked === 0);
}

export async function hasNoInstance(
  world: World,
  model: string,
  transaction: string,
): Promise<void> {
  expect((await world.ask(instancePath(model, transaction))).status).toBe(404);
}

export const deadLetters = async (world: World) =>
  (await world.ask<DeadLetters>('/api/dead-letters')).body.deadLetters;

/** Waits until the number of dead letters equals `count`. */
export const hasDeadLetters = (world: World, count: number) =>
  world.until(
    async () => (await deadLetters(world)).length === count,
    `there are ${count} dead letters`,
  );

/** Waits until the receiver has a notification of an instance. */
export const isNotified = (world: World, transaction: string) =>
  world.until(
    () => world.receiver.taken.some(({ event }) => event.detail.transaction === transaction),
    `a notification of ${transaction} is received`,
  );

/** Waits until a log group contains a line. @param owner the group's logical id without `Tracker` and `Logs…` */
export const isLogged = (world: World, owner: string, pattern: RegExp, after = 0) =>
  world.until(
    () =>
      world.logs
        .ofOwner(owner)
        .slice(after)
        .some((line) => pattern.test(line)),
    `${owner} logs ${String(pattern)}`,
  );

/** Waits until Lambda throttles an invocation from an event source. */
export const isThrottled = (world: World) =>
  world.until(
    () => world.logs.ofService('invocation throttled').length > 0,
    'an event source is throttled',
  );
