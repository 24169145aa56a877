import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The program that runs a function on this machine: Node.js, another program, or the reason why no program can run the
 * function.
 */
export type Program =
  | { readonly kind: 'node' }
  | { readonly kind: 'program'; readonly bootstrap: readonly string[] }
  | { readonly kind: 'none'; readonly reason: string };

const pythonBootstrap = fileURLToPath(new URL('python-bootstrap.py', import.meta.url));

/**
 * Finds the program that runs the functions of a runtime on this machine. Python functions use the `python3` in PATH,
 * regardless of its version. Functions with a custom runtime use the program `bootstrap` in their code.
 *
 * @param runtime the Lambda runtime's name.
 * @param path the value of PATH.
 */
export function programFor(runtime: string, codePath: string, path = ''): Program {
  if (runtime.startsWith('nodejs')) return { kind: 'node' };
  if (runtime.startsWith('provided'))
    return { kind: 'program', bootstrap: [join(codePath, 'bootstrap')] };
  if (!runtime.startsWith('python'))
    return { kind: 'none', reason: `the runtime ${runtime} is not supported on this machine` };
  const python = findExecutable('python3', path);
  return python
    ? { kind: 'program', bootstrap: [python, '-u', pythonBootstrap] }
    : {
        kind: 'none',
        reason: `its runtime is ${runtime}, but PATH has no python3; install Python 3`,
      };
}

function findExecutable(program: string, path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, program))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
