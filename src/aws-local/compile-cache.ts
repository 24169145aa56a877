import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Enables the compile cache of Node.js in child processes, which halves their start time. The folder is the default of
 * Node.js.
 *
 * @see https://nodejs.org/api/module.html#module-compile-cache
 */
export const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') };
