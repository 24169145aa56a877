import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../support/docs/markdown.ts';

const run = promisify(execFile);

/** The addresses of AWS services, by their names in the AWS CLI. `default` is the address of all other services. */
export type Endpoints = Readonly<Record<string, string>> & { readonly default: string };

/** An operator's terminal: `milepost`, the real AWS CLI, and variables that later commands use. */
export class Shell {
  readonly #folder: string;
  readonly #setup: string;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(folder: string, setup: string, env: NodeJS.ProcessEnv) {
    this.#folder = folder;
    this.#setup = setup;
    this.#env = env;
  }

  /**
   * @param folder an empty folder for the shell's files
   * @param setup the definitions that the page's reader runs first
   * @param npx the shell code that runs the arguments of `npx` other than `milepost`
   */
  static async open(
    folder: string,
    setup: string,
    {
      endpoints,
      env,
      npx,
    }: { readonly endpoints: Endpoints; readonly env: NodeJS.ProcessEnv; readonly npx: string },
  ): Promise<Shell> {
    const programs = join(folder, 'bin');
    await mkdir(programs, { recursive: true });
    const { stdout: aws } = await run('sh', ['-c', 'command -v aws']);
    // Pass `--endpoint-url`, because version 2.9 in Debian does not support the environment variables for endpoints.
    const cases = Object.entries(endpoints).map(
      ([service, url]) => `${service === 'default' ? '*' : service}) to=${url};;`,
    );
    const milepost = `${process.execPath} ${join(root, 'bin', 'milepost.js')}`;
    const script = {
      aws: [
        `case $1 in ${cases.join(' ')} esac`,
        `[ "$1" = cloudformation ] || exec ${aws.trim()} "$@" --endpoint-url "$to"`,
        // Cache responses about the stack, which does not change. Most commands look up names in the stack, which takes
        // half of the time.
        `file=${join(folder, 'stack')}-$(echo "$*" | cksum | tr ' ' -)`,
        `[ -f "$file" ] || { ${aws.trim()} "$@" --endpoint-url "$to" > "$file.$$" && mv "$file.$$" "$file"; } && cat "$file"`,
      ].join('\n'),
      // `milepost doctor` exits with 1 if a check fails, which is not a failure of the command.
      milepost: `${milepost} "$@"\nstatus=$?\n[ "$1" = doctor ] && [ $status = 1 ] || exit $status`,
      npx: `if [ "$1" = milepost ]; then shift; exec milepost "$@"; fi\n${npx}`,
    };
    for (const [name, body] of Object.entries(script)) {
      await writeFile(join(programs, name), `#!/bin/sh\n${body}\n`);
      await chmod(join(programs, name), 0o755);
    }
    const variables = {
      ...process.env,
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_DEFAULT_REGION: 'us-east-1',
      ...env,
      PATH: [programs, process.env.PATH].join(delimiter),
      VARIABLES: join(folder, 'variables'),
    };
    return new Shell(folder, setup, variables);
  }

  /** Runs commands. Returns their output. @throws Error with the output if a command fails */
  run(commands: string): Promise<string> {
    return this.#run('set -eo pipefail', commands);
  }

  /** Runs commands and continues after a failed command, as an operator would. Returns their output. */
  try(commands: string): Promise<string> {
    return this.#run('', commands);
  }

  async #run(options: string, commands: string): Promise<string> {
    const script = [
      options,
      'if [ -f "$VARIABLES" ]; then . "$VARIABLES"; fi',
      this.#setup,
      commands,
      'declare -p | grep -E "^declare -- [A-Z]+=" > "$VARIABLES"',
    ].join('\n');
    try {
      // Without `--norc`, bash reads ~/.bashrc if its standard input is a socket, and ~/.bashrc may change PATH.
      const { stdout, stderr } = await run('bash', ['--norc', '-c', script], {
        cwd: this.#folder,
        env: this.#env,
      });
      return stdout + stderr;
    } catch (cause) {
      const { stdout, stderr } = cause as { stdout: string; stderr: string };
      throw new Error(`${commands}\nfailed:\n${stdout}${stderr}`, { cause });
    }
  }
}
