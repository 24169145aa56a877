import { restoreManifest } from './kept-manifest.ts';

/* Runs after npm has packed the package: restores the repository's package.json. */
await restoreManifest();
