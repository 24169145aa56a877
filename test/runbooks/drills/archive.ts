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

/** Faults of the archive. */
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
};
