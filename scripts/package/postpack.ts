import { restoreFiles } from './kept-files.ts';

/* Runs after npm has packed the package: restores the repository's files. */
await restoreFiles();
