import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What runs a function here: Node.js as Lambda has it, another program, or nothing, for this reason. */
export type Program =
  | { readonly kind: 'node' }
  | { readonly kind: 'program'; readonly bootstrap: readonly string[] }
  | { readonly kind: 'none'; readonly reason: string };

const pythonBootstrap = fileURLToPath(new URL('python-bootstrap.py', import.meta.url));

/**
 * What runs functions of a runtime on this machine: Python by whatever `python3` there is, and a runtime of
 * one's own by the program `bootstrap` in its code.
 *
 * @param runtime as Lambda names it.
 * @param path the variable PATH.
 */
export function programFor(runtime: string, codePath: string, path = ''): Program {
  if (runtime.startsWith('nodejs')) return { kind: 'node' };
  if (runtime.startsWith('provided'))
    return { kind: 'program', bootstrap: [join(codePath, 'bootstrap')] };
  if (!runtime.startsWith('python'))
    return { kind: 'none', reason: `functions of ${runtime} do not run on one machine` };
  const python = findExecutable('python3', path);
  return python
    ? { kind: 'program', bootstrap: [python, '-u', pythonBootstrap] }
    : { kind: 'none', reason: `it is of ${runtime}, and there is no python3 on the PATH` };
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
