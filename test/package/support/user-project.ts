import { execFile } from 'node:child_process';
import { delimiter } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '../../support/service/service.ts';

/** The result of a command in a user's project. */
export interface Done {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * The environment of a user's terminal: the machine's own Node.js, without the variables of npm, which runs these
 * tests. Services use free ports.
 */
export const userEnvironment: NodeJS.ProcessEnv = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|VITEST)/i.test(name)),
  ),
  ...freePorts,
  PATH: process.env
    .PATH!.split(delimiter)
    .filter((folder) => !folder.includes('node_modules') && !folder.includes('npm-lifecycle'))
    .join(delimiter),
  CDK_VALIDATION: 'false',
  NO_COLOR: '1',
};

/** Runs a command in a folder with the user's environment. Returns its output and exit status. */
export async function run(
  folder: string,
  command: string,
  ...args: readonly string[]
): Promise<Done> {
  try {
    const options = { cwd: folder, env: userEnvironment, maxBuffer: 64 * 1024 * 1024 };
    return { status: 0, ...(await promisify(execFile)(command, args, options)) };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as Partial<Done> & { code?: unknown };
    if (typeof code !== 'number') throw error;
    return { status: code, stdout, stderr };
  }
}

/** Runs a command that must succeed, and returns its standard output. */
export async function succeed(
  folder: string,
  command: string,
  ...args: readonly string[]
): Promise<string> {
  const { status, stdout, stderr } = await run(folder, command, ...args);
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')} exited with ${status}:\n${stdout}${stderr}`);
  return stdout;
}
