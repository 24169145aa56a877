import { rmSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Calls a function with a new temporary folder and removes the folder afterward, even if the function fails. */
export async function withFolder<Result>(
  run: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'milepost-bench-'));
  // A database server can run as another user, who needs access to the server's subfolder.
  await chmod(folder, 0o755);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    return await run(folder);
  } finally {
    process.off('exit', remove);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
