import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const [end, recordName] = ['\u0001', 'commands'];

/** The handler that the shell calls for every program, because the PATH contains no programs. */
const recorder = `command_not_found_handle() { printf '%s\\0' "$@" '${end}' >> "$RECORD"; }\n`;

/**
 * Returns the programs that bash would run for a script, each with its arguments. No program is run: each one is
 * replaced by a stub that succeeds. Bash's built-in commands run, but are not returned.
 *
 * @throws Error with bash's message for a syntax error, or if the script does not end within 10 seconds
 */
export async function commandsIn(script: string): Promise<string[][]> {
  const folder = await mkdtemp(join(tmpdir(), 'milepost-shell-'));
  try {
    const file = join(folder, 'script');
    await writeFile(file, script);
    const bash = (...options: string[]) =>
      promisify(execFile)('/bin/bash', options, {
        cwd: folder,
        timeout: 10_000,
        env: { PATH: '/nowhere', RECORD: join(folder, recordName) },
      });
    await bash('-n', file);
    await writeFile(file, recorder + script);
    // Ignore the exit status, because no command was run.
    await bash(file).catch((error: { killed?: boolean }) => {
      if (error.killed) throw new Error('the script does not end when its programs are stubs');
    });
    const record = await readFile(join(folder, recordName), 'utf8').catch(() => '');
    return record
      .split(`${end}\0`)
      .map((command) => command.split('\0').slice(0, -1))
      .filter((command) => command.length > 0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
