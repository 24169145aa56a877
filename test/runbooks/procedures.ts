import { expect } from 'vitest';
import { instancePath } from '../support/service/service.ts';
import { created } from './drills/expectations.ts';
import { parcelEvent, parcelModel } from './drills/parcel-model.ts';
import type { World } from './world/world.ts';

/** A test of the procedure on a page: runs the page's shell blocks and checks their results. */
export type Procedure = (world: World, blocks: readonly string[]) => Promise<void>;

/** The procedures, by the path of their page. */
export const procedures: Readonly<Record<string, Procedure>> = {
  async 'docs/how-to/rotate-signing-keys.md'(world, [rotate, removeLeaked]) {
    const keys = () => Object.keys(JSON.parse(world.secrets.current('SigningKeys')) as object);
    await firesTimer(world, 'signed-at-first');
    const before = keys().length;
    await world.shell.run(rotate!);
    await world.secrets.rotated;
    expect(keys()).toHaveLength(before + 1);
    const next = keys().at(-1)!;
    expect(Number(next)).toBeGreaterThan(Date.now() / 1_000);
    await firesTimer(world, 'signed-before');

    // After an hour, Milepost signs with the new key. Change its time to skip the hour.
    const active = String(Math.floor(Date.now() / 1_000) - 1);
    world.secrets.edit('SigningKeys', (value) => value.replace(next, active));
    await world.shell.run(removeLeaked!);
    expect(keys()).toHaveLength(before);
    expect(keys()).not.toContain('0');
    // Functions reread the secret after five minutes, so restart them.
    world.functions.restart();
    await firesTimer(world, 'signed-after');
  },

  async 'docs/how-to/rebuild-instances.md'(world, [rebuild]) {
    const [check, apply, rows] = rebuild!.trim().split('\n');
    const run = (command = '') => world.shell.run(command.replace('orders', 'parcel'));
    const status = async () =>
      (await world.ask<{ status: string }>(instancePath('parcel', 'R-1'))).body.status;
    const listed = () => world.shell.run('milepost list --model parcel --q R-1');

    const model = parcelModel('fixed');
    await world.deployModel('parcel', model.replace('A parcel on its way', 'A parcel'));
    await world.put(parcelEvent('R-1', 'e1', 'parcel.packed'));
    await world.until(async () => (await status()) === 'Packed', 'R-1 is packed');
    expect(await run(check)).toContain('no differences');

    await world.deployModel('parcel', model.replaceAll("'Packed'", "'Wrapped'"));
    expect(await run(check)).toMatch(/Packed +Wrapped +[1-9]/);
    expect(await status()).toBe('Packed');
    await run(apply);
    await world.until(async () => (await status()) === 'Wrapped', 'R-1 is rebuilt');
    expect(await run(check)).toContain('no differences');

    await world.shell.run(`aws dynamodb delete-item --table-name "$(output InstancesTable)" \
      --key '${JSON.stringify({ pk: { S: 'parcel#R-1' }, sk: { S: 'STATUS' } })}'`);
    expect(await listed()).not.toContain('R-1');
    await run(rows);
    await world.until(async () => (await listed()).includes('R-1'), 'R-1 is listed again');
  },
};

/** Waits until a due timer of a new instance fires. Its event is applied only if its signature is valid. */
async function firesTimer(world: World, transaction: string): Promise<void> {
  const time = new Date(Date.now() - 60_000).toISOString();
  await world.put(created(transaction));
  const data = { who: 'Fred', qty: 1 };
  await world.put({ ...created(transaction, 'e2'), type: 'tickets.reserved', data, time });
  await world.eventually<{ entries: { event: { type: string } }[] }>(
    `${instancePath('tickets', transaction)}/history`,
    ({ entries }) => entries.at(-1)?.event.type === 'timer.fired',
  );
}
