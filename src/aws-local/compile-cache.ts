import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The environment variable that enables Node.js's compile cache in child processes. The cache is in the default folder
 * and halves the start time.
 *
 * @see https://nodejs.org/api/module.html#module-compile-cache
 */
export const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') };
