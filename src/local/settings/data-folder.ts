import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { replaceFile } from '../../aws-local/replace-file.ts';
import { StartError } from '../../aws-local/server/start-error.ts';
import { messageOf } from '../../common/message-of.ts';
import type { DeployedResource } from '../deploy/custom-resources.ts';
import { lockFolder } from './folder-lock.ts';

/** The files of a running service. */
export interface DataFolder {
  /** Where endpoints keep their data; null: in memory. */
  readonly endpoints: string | null;
  /** The folder with a file of checkpoints for each event source; null: in memory. */
  readonly checkpoints: string | null;
  /** Where notifications wait for webhooks; null: in memory. */
  readonly outbox: string | null;
  /** Where the secret is that signs notifications, if none is given. */
  readonly webhookSecret: string;
  /** The folder of what stands for Secrets Manager: keys that sign links, and Milepost's own events. */
  readonly secrets: string;
  /** Where the key is that encrypts those of personal data. */
  readonly dataKey: string;
  /** Where the bundles of a user's models are. */
  readonly models: string;
  /** Where the code of published versions of functions is kept. */
  readonly versions: string;
  /** Stands for S3. */
  readonly buckets: string;
  /** What an earlier run deployed, and what this one did. */
  readDeployed(): Promise<DeployedResource[]>;
  writeDeployed(resources: readonly DeployedResource[]): Promise<void>;
  /** Removes what nobody needs after this run, and lets another one have the folder. */
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
 * Prepares the folder where state is kept between runs, or one for this run.
 *
 * @param folder null: everything is kept in memory, and what has to be files is removed at the end.
 * @throws StartError when it cannot be written, or another service uses it.
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
    models: join(root, 'models'),
    versions: join(root, 'versions'),
    buckets: join(root, 'buckets'),
    async readDeployed() {
      try {
        return v.parse(deployedResources, JSON.parse(await readFile(deployed, 'utf8')));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
        // A JSON error quotes the text, line breaks and all.
        const reason = messageOf(error).replaceAll(/\s+/g, ' ');
        throw new StartError(`${deployed} cannot be read: ${reason}`, { cause: error });
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
    await mkdir(root, { recursive: true });
    const probe = join(root, `.probe-${process.pid}`);
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    const reason = `the data folder ${folder ?? root} cannot be written: ${messageOf(error)}`;
    throw new StartError(reason, { cause: error });
  }
}

function acquireLock(root: string, folder: string): Disposable {
  const lock = lockFolder(root);
  if (lock) return lock;
  throw new StartError(
    `the data folder ${folder} is in use by another Milepost: stop that one, or set MILEPOST_DATA to another folder`,
  );
}
