import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childProcessesOf } from './child-processes.ts';

const run = promisify(execFile);
const sizeOption = 'size=1g';

/** A folder on a disk that can be filled up. */
export interface SmallDisk {
  readonly folder: string;
  /** A description of how it becomes full, for the report. */
  readonly kind: string;
  /** Makes all writes fail except the first few bytes. @param service the process id of the service */
  fill(service: number | undefined, spareBytes: number): Promise<void>;
  /** Makes room again. */
  clear(service: number | undefined): Promise<void>;
  /** Copies the files to a folder that remains. */
  keep(target: string): Promise<void>;
  remove(): Promise<void>;
}

/** A memory disk if this process may mount one; otherwise a folder whose files cannot grow while it is full. */
export async function smallDisk(): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'milepost-soak-'));
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', sizeOption, 'tmpfs', folder]).then(
    () => true,
    () => false,
  );
  const keep = (target: string) =>
    cp(folder, target, { recursive: true, filter: (path) => !path.endsWith('/filler') });
  const remove = () => rm(folder, { recursive: true, force: true });
  if (!isMounted) return { folder, kind: 'file size limit', ...fileSizeLimit, keep, remove };
  // The service may still be using the disk if the soak is interrupted.
  const unmount = () => void spawnSync('umount', ['--lazy', folder]);
  process.once('exit', unmount);
  return {
    folder,
    kind: `tmpfs, ${sizeOption}`,
    ...fillerIn(folder),
    keep,
    async remove() {
      process.off('exit', unmount);
      unmount();
      await remove();
    },
  };
}

function fillerIn(folder: string): Pick<SmallDisk, 'fill' | 'clear'> {
  const filler = join(folder, 'filler');
  return {
    async fill(_, spareBytes) {
      // Writes of the service may be faster than the measurement.
      for (let tries = 0; tries < 20; tries++) {
        const { bavail, bsize } = await statfs(folder);
        const length = Math.max(1, bavail * bsize - spareBytes);
        const options = ['-l', String(length), filler];
        if (await run('fallocate', options).then(Boolean, () => false)) return;
      }
      throw new Error(`cannot fill ${folder}`);
    },
    clear: () => rm(filler, { force: true }),
  };
}

/** RLIMIT_FSIZE: a write beyond the limit fails with EFBIG, because Node.js ignores the signal. */
const fileSizeLimit: Pick<SmallDisk, 'fill' | 'clear'> = {
  fill: (service) => limitFileSize(service, '1'),
  clear: (service) => limitFileSize(service, 'unlimited'),
};

async function limitFileSize(service: number | undefined, limit: string): Promise<void> {
  if (service === undefined) return;
  const pids = [service, ...(await childProcessesOf(service)).map(({ pid }) => pid)];
  for (const pid of pids)
    await run('prlimit', ['--pid', String(pid), `--fsize=${limit}:`]).catch(() => undefined);
}
