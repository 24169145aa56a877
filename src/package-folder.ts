import { join } from 'node:path';

/** Whether this runs as the package that users install, and not from the repository's sources. */
export const isPackage = !import.meta.filename.endsWith('.ts');

/** The folder with package.json; what is built is in `dist` below it. */
export const packageFolder = join(import.meta.dirname, isPackage ? '../../..' : '..');
