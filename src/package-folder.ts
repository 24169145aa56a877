import { join } from 'node:path';

/** True if this code runs from the installed package, false in the repository. */
export const isPackage = !import.meta.filename.endsWith('.ts');

/** The folder with package.json. Build output is in its subfolder `dist`. */
export const packageFolder = join(import.meta.dirname, isPackage ? '../../..' : '..');
