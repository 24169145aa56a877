import { restoreManifest } from './kept-manifest.ts';

/* Runs after npm has packed. */
await restoreManifest();
