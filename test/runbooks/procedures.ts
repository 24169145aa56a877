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

    // After an hour, Milepost signs with the new key. Change the key's time to skip the hour.
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

  async 'docs/how-to/restore-damaged-data.md'(world, [restore, remove, copy, derive, discard]) {
    const run = (command = '') =>
      world.shell.run(
        command
          .replaceAll(/orders\b/g, 'tickets')
          .replaceAll('https://dynamodb.$AWS_REGION.amazonaws.com', world.ready.dynamodb)
          .replaceAll('$AWS_REGION', 'us-east-1'),
      );
    const historyOf = async () => {
      const path = `${instancePath('tickets', 'O-7')}/history`;
      const { status, body } = await world.ask<{ entries: { event: { id: string } }[] }>(path);
      return status === 200 ? body.entries.map(({ event }) => event.id) : status;
    };
    const isListed = async () =>
      (await run('milepost list --model orders --q O-7')).includes('O-7');
    const sell = (id: string) => {
      const data = { who: 'Fred', qty: 1 };
      return world.put({ ...created('O-7', id), type: 'tickets.purchased', data });
    };

    await world.put(created('O-7'));
    await world.until(async () => (await historyOf()).toString() === 'e1', 'e1 is applied');
    await sell('e2');
    await world.until(async () => (await historyOf()).toString() === 'e1,e2', 'e2 is applied');
    const before = (await world.ask(instancePath('tickets', 'O-7'))).body;

    // The local service cannot restore a table, so copy the items to a second table instead.
    await run(restore!.split('\n')[0]);
    await run(`aws dynamodb create-table --table-name milepost-restored --billing-mode PAY_PER_REQUEST \\
      --attribute-definitions AttributeName=pk,AttributeType=S AttributeName=sk,AttributeType=S \\
      --key-schema AttributeName=pk,KeyType=HASH AttributeName=sk,KeyType=RANGE`);
    const swapped = copy!
      .replace('milepost-restored', '"$TABLE"')
      .replace('--arg table "$TABLE"', '--arg table milepost-restored');
    expect(await run(swapped)).toContain('COMMIT#0000000002 {}');

    await run(remove);
    await run(remove!.replace('COMMIT#0000000002', 'COMMIT#0000000001'));
    await run(remove!.replace('COMMIT#0000000002', 'STATUS'));
    expect(await isListed()).toBe(false);
    const copied = await run(copy);
    expect(copied).toContain('COMMIT#0000000001 {}');
    expect(copied).toContain('COMMIT#0000000002 {}');
    expect(await run(copy)).toMatch(/COMMIT#0000000002 .*ConditionalCheckFailedException/);
    await run(derive);
    await world.until(isListed, 'O-7 is listed again');
    expect(await historyOf()).toEqual(['e1', 'e2']);
    expect((await world.ask(instancePath('tickets', 'O-7'))).body).toEqual(before);
    await sell('e3');
    await world.until(async () => (await historyOf()).toString() === 'e1,e2,e3', 'e3 is applied');
    await run(discard);
  },
};

/**
 * Waits until a due timer of a new instance fires. The timer's event is applied only if the event's signature is valid.
 */
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
