/*
 * Builds Milepost's Lambda functions and synthesizes the CDK app in one process. The app's libraries load while esbuild
 * runs.
 */
await Promise.all([import('./build.ts'), import('../lib/index.ts')]);
await import('../bin/app.ts');
