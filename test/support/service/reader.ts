import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ReadyLine } from '../../../src/local/stack.ts';
import { copyOfProject } from '../docs/copy-of-project.ts';
import { freePorts } from './service.ts';

/**
 * A script that replaces npx, because starting npm takes longer than most commands. It runs the reader's npx commands
 * except the first, which npm runs, and esbuild, which the CDK starts with npx for each model.
 */
const npx = `#!/bin/sh
[ "$1" = --no-install ] && shift
name=$1; shift
case $name in
  milepost) exec node bin/milepost.js "$@" ;;
  *) exec "$PWD/node_modules/.bin/$name" "$@" ;;
esac
`;

/** Splits a shell block into commands. A command is a line with its continuation lines. */
export const commandsOf = (block: string) => block.trim().split(/(?<!\\)\n(?!\s)/);

/** A reader who follows a page step by step, in a copy of the project with a separate service. */
export class Reader {
  readonly copy: string;
  #ready: ReadyLine | undefined;
  #service: ReturnType<typeof spawn> | undefined;
  #isNpxShown = false;

  private constructor(copy: string) {
    this.copy = copy;
  }

  static async open(): Promise<Reader> {
    const copy = await copyOfProject();
    await mkdir(join(copy, '.shortcut'));
    await writeFile(join(copy, '.shortcut', 'npx'), npx, { mode: 0o755 });
    return new Reader(copy);
  }

  /** The addresses of the service. */
  get ready(): ReadyLine {
    if (!this.#ready) throw new Error('the service is not running; call start first');
    return this.#ready;
  }

  get #shortened() {
    const folders = [join(this.copy, '.shortcut'), dirname(process.execPath), process.env.PATH];
    return folders.join(delimiter);
  }

  /** Runs `npm start` on free ports. */
  async start(variables: Record<string, string> = {}): Promise<void> {
    const env = { ...process.env, ...freePorts, ...variables, PATH: this.#shortened };
    this.#service = spawn('npm', ['start'], { cwd: this.copy, env });
    let said = '';
    this.#service.stderr!.on('data', (text: Buffer) => (said += text.toString()));
    for await (const line of createInterface({ input: this.#service.stdout! }))
      if (line.startsWith('{')) {
        this.#ready = JSON.parse(line) as ReadyLine;
        return;
      }
    throw new Error(`npm start exited: ${said}`);
  }

  /** Stops the service with SIGTERM. Returns its exit status and signal. */
  async stop(): Promise<unknown[]> {
    if (!this.#service) return [0, null];
    const closed = once(this.#service, 'close');
    this.#service.kill('SIGTERM');
    [this.#service, this.#ready] = [undefined, undefined];
    return closed;
  }

  async close(): Promise<void> {
    await this.stop();
    await rm(this.copy, { recursive: true, force: true });
  }

  /**
   * Runs a command and returns its output. Tries up to five times until the command succeeds and the output matches,
   * because events are applied with a delay.
   */
  async output(command: string, shows: RegExp = /./): Promise<string> {
    const isByNpm = command.startsWith('npx ') && !this.#isNpxShown;
    this.#isNpxShown ||= isByNpm;
    const env = {
      ...process.env,
      PATH: isByNpm ? process.env.PATH : this.#shortened,
      ...(this.#ready && { MILEPOST_API: this.#ready.api }),
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      CDK_VALIDATION: 'false',
    };
    const options = { cwd: this.copy, env, maxBuffer: 64 * 1024 * 1024 };
    for (let tries = 1; ; tries++) {
      try {
        const { stdout, stderr } = await promisify(execFile)(
          'sh',
          ['-ec', this.#adapted(command)],
          options,
        );
        if (shows.test(stdout + stderr)) return stdout + stderr;
        throw new Error(`${command} does not show ${String(shows)}: ${stdout}${stderr}`);
      } catch (error) {
        if (tries === 5) throw error;
        await pause(300);
      }
    }
  }

  /** Replaces the documented ports in a command with those of this service. */
  #adapted(command: string): string {
    if (!this.#ready) return command;
    return command
      .replaceAll('http://127.0.0.1:4500', this.#ready.api)
      .replaceAll('http://127.0.0.1:4567', this.#ready.kinesis);
  }
}
