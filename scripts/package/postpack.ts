import { restoreManifest } from './kept-manifest.ts';

/* After npm has packed. */
await restoreManifest();
