import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childProcessesOf } from '../../support/child-processes.ts';

const run = promisify(execFile);
const sizeOption = 'size=1g';

/** A folder on a disk that can be filled up. */
export interface SmallDisk {
  readonly folder: string;
  /** The report's description of the limit that makes writes fail. */
  readonly kind: string;
  /**
   * Makes writes fail: after `spareBytes` bytes on a RAM disk, otherwise immediately.
   *
   * @param service the process id of the service
   */
  fill(service: number | undefined, spareBytes: number): Promise<void>;
  /** Ends the fault so that writes succeed again. */
  clear(service: number | undefined): Promise<void>;
  /** Copies the files to a folder that is kept after the soak. */
  keep(target: string): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Creates a RAM disk if this process is permitted to mount one. Otherwise, creates a folder whose files cannot grow
 * while the disk is "full".
 */
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
  // Unmount lazily, because the service may still use the disk if the soak is interrupted.
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
      // Try repeatedly, because the service may write between the measurement and the allocation.
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

/** Sets RLIMIT_FSIZE. A write beyond the limit fails with EFBIG, because Node.js ignores the signal SIGXFSZ. */
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
