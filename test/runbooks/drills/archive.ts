import { expect } from 'vitest';
import { commitPrefix, partitionOf } from '../../../src/aws/instances/instance-keys.ts';
import type { Drill } from '../drill.ts';
import type { World } from '../world/world.ts';
import { created, hasApplied, isLogged } from './expectations.ts';

const archiver = 'ArchiveArchiverFunction';

/** Creates an instance and waits until the archiver fails to archive its commit. */
async function leaveUnarchived(world: World, transaction: string): Promise<void> {
  await world.put(created(transaction));
  await hasApplied(world, 'tickets', transaction, ['e1']);
  await world.until(async () => !(await isArchived(world, transaction)), 'the archiver fails');
}

/** Passes the instance's commits to the archiver. Returns true if the archive then contains its event. */
async function isArchived(world: World, transaction: string): Promise<boolean> {
  const isDone = await world.passCommits(archiver, { model: 'tickets', transaction });
  return isDone && world.firehose.lines.some((line) => line.includes(transaction));
}

const instance = { model: 'tickets', transaction: 'damaged' };
const commitKey = { pk: partitionOf(instance), sk: `${commitPrefix}0000000001` };
/** The time of the commit, which the drill removes from the item. */
let time: string;

/** Runs a request that reads or changes the commit's item. Returns the output. */
const commitItem = (world: World, request: string) =>
  world.shell.run(`aws dynamodb ${request} --table-name "$(output InstancesTable)" \
    --key '{"pk":{"S":"${commitKey.pk}"},"sk":{"S":"${commitKey.sk}"}}'`);

export const archiveDrills: Readonly<Record<string, Drill>> = {
  Behind: {
    async cause(world) {
      const { environment } = world.functions.named(archiver);
      world.functions.change(archiver, {
        environment: { ...environment, MILEPOST_ARCHIVE: 'another-stream' },
      });
      await leaveUnarchived(world, 'unarchived');
      await isLogged(world, 'ArchiveArchiver', /commits to retry/);
    },
    look: [/"message":"commits to retry".*Firehose another-stream not found/],
    gone: (world) =>
      world.until(() => isArchived(world, 'unarchived'), 'the archive contains the event'),
  },

  ArchiveThrottles: {
    async cause(world) {
      world.functions.starve(archiver);
      await leaveUnarchived(world, 'not-archived');
    },
    look: [/"UnreservedConcurrentExecutions": 100\b/],
    async gone(world) {
      await world.until(() => isArchived(world, 'not-archived'), 'the archive contains the event');
      world.functions.reservedByOthers = 0;
    },
  },

  UnarchivedCommits: {
    async cause(world) {
      await world.put(created(instance.transaction));
      await hasApplied(world, instance.model, instance.transaction, ['e1']);
      time = (await commitItem(world, 'get-item --query Item.at.S --output text')).trim();
      const remove = '--update-expression "REMOVE #at" --expression-attribute-names';
      await commitItem(world, `update-item ${remove} '{"#at":"at"}'`);
      expect(await world.passCommits(archiver, instance)).toBe(true);
    },
    look: [/"message":"unreadable commit".*has no attribute at/],
    names: () =>
      Promise.resolve({ 'invoices#I-17': commitKey.pk, 'COMMIT#0000000003': commitKey.sk }),
    async repair(world) {
      const set = '--update-expression "SET #at = :at" --expression-attribute-names';
      const values = `--expression-attribute-values '{":at":{"S":"${time}"}}'`;
      await commitItem(world, `update-item ${set} '{"#at":"at"}' ${values}`);
    },
    gone({ firehose }) {
      expect(firehose.lines).toContainEqual(expect.stringContaining(instance.transaction));
      return Promise.resolve();
    },
  },

  NotDelivered: {
    async cause(world) {
      world.firehose.canDeliver = false;
      await leaveUnarchived(world, 'undelivered');
      await world.until(() => world.firehose.waiting > 0, 'Firehose has an event');
      world.logs.append(
        'Archive',
        JSON.stringify({
          destination: 'arn:aws:s3:::archive',
          message: 'Access was denied. Check the access policy of the IAM role.',
          errorCode: 'S3.AccessDenied',
        }),
      );
    },
    look: [/"errorCode":"S3\.AccessDenied"/],
    repair(world) {
      world.firehose.canDeliver = true;
    },
    async gone({ firehose }) {
      expect(firehose.waiting).toBe(0);
      expect(firehose.lines).toContainEqual(expect.stringContaining('undelivered'));
    },
  },
};
