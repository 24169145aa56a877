import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The environment variable that enables the compile cache of Node.js in child processes, which halves their start time.
 * The folder is Node.js's default.
 *
 * @see https://nodejs.org/api/module.html#module-compile-cache
 */
export const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') };
