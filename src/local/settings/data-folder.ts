import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { replaceFile } from '../../aws-local/replace-file.ts';
import { StartError } from '../../aws-local/server/start-error.ts';
import { createFolder } from '../../common/create-folder.ts';
import { messageOf } from '../../common/message-of.ts';
import type { DeployedResource } from '../deploy/custom-resources.ts';
import { lockFolder } from './folder-lock.ts';

/** The files of a running service. */
export interface DataFolder {
  /** The folder for the endpoints' data, or null to keep the data in memory. */
  readonly endpoints: string | null;
  /** The folder with one checkpoint file per event source, or null to keep checkpoints in memory. */
  readonly checkpoints: string | null;
  /** The database file for notifications that wait for webhooks, or null to keep the notifications in memory. */
  readonly outbox: string | null;
  /** The file for the secret that signs webhooks. The secret is generated if none is configured. */
  readonly webhookSecret: string;
  /** The folder with the secrets that Secrets Manager stores in AWS: keys that sign links and Milepost's own events. */
  readonly secrets: string;
  /** The file for the key that encrypts the data keys. */
  readonly dataKey: string;
  /**
   * The folder with the bundles of a user's models, or of the models that exist only in the demo. Its name differs from
   * `models`, because the data folder can be the user's project.
   */
  readonly bundles: string;
  /** The folder with the code of published function versions. */
  readonly versions: string;
  /** The folder whose subfolders replace S3 buckets. */
  readonly buckets: string;
  /** Returns the custom resources that earlier runs and this run have deployed. */
  readDeployed(): Promise<DeployedResource[]>;
  writeDeployed(resources: readonly DeployedResource[]): Promise<void>;
  /** Removes temporary files and releases the lock on the folder. */
  dispose(): Promise<void>;
}

const deployedResources = v.array(
  v.object({
    logicalId: v.string(),
    type: v.string(),
    functionName: v.string(),
    properties: v.record(v.string(), v.unknown()),
    physicalId: v.string(),
    unsettled: v.optional(v.boolean()),
  }),
);

/**
 * Prepares the folder that keeps state between runs, or a temporary folder for this run.
 *
 * @param folder the folder, or null to keep all data in memory and to delete temporary files at the end.
 * @throws StartError if the folder is not writable or is in use by another service.
 */
export async function openDataFolder(folder: string | null): Promise<DataFolder> {
  const root = folder === null ? await mkdtemp(join(tmpdir(), 'milepost-')) : resolve(folder);
  const deployed = join(root, 'deployed.json');
  await checkWritable(root, folder);
  const lock = folder === null ? undefined : acquireLock(root, folder);
  return {
    endpoints: folder === null ? null : root,
    checkpoints: folder === null ? null : join(root, 'checkpoints'),
    outbox: folder === null ? null : join(root, 'outbox.db'),
    webhookSecret: join(root, 'webhook-secret'),
    secrets: join(root, 'secrets'),
    dataKey: join(root, 'data-key'),
    bundles: join(root, 'bundles'),
    versions: join(root, 'versions'),
    buckets: join(root, 'buckets'),
    async readDeployed() {
      try {
        return v.parse(deployedResources, JSON.parse(await readFile(deployed, 'utf8')));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
        // Remove line breaks because a JSON error quotes the invalid text.
        const reason = messageOf(error).replaceAll(/\s+/g, ' ');
        throw new StartError(
          `${deployed} cannot be read: ${reason}; restore the file, or delete it to register all models again`,
          { cause: error },
        );
      }
    },
    async writeDeployed(resources) {
      await replaceFile(deployed, JSON.stringify(resources, undefined, 2));
    },
    async dispose() {
      lock?.[Symbol.dispose]();
      if (folder === null) await rm(root, { recursive: true, force: true });
    },
  };
}

async function checkWritable(root: string, folder: string | null): Promise<void> {
  try {
    await createFolder(root);
    const probe = join(root, `.probe-${process.pid}`);
    // Write some content because an empty file can be created even on a full disk.
    await writeFile(probe, 'Milepost');
    await rm(probe);
  } catch (error) {
    const reason = `the data folder ${folder ?? root} is not writable: ${messageOf(error)}`;
    throw new StartError(reason, { cause: error });
  }
}

function acquireLock(root: string, folder: string): Disposable {
  const lock = lockOf(root, folder);
  if (lock) return lock;
  throw new StartError(
    `the data folder ${folder} is in use by another Milepost service; stop that service, or set MILEPOST_DATA to another folder`,
  );
}

function lockOf(root: string, folder: string): Disposable | undefined {
  try {
    return lockFolder(root);
  } catch (error) {
    throw new StartError(
      `the data folder ${folder} cannot be locked with the file ${join(root, 'lock')}: ${messageOf(error)}; set MILEPOST_DATA to another folder`,
      { cause: error },
    );
  }
}
