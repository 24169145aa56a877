/*
 * Runs after `npm ci`: bundles the Lambda functions and synthesizes the CDK app so that the first `npm start` does not
 * have to. If a step fails, `npm start` repeats the step and prints the error. This script is plain JavaScript, because
 * some machines run it on a Node.js version that does not strip types.
 */
try {
  const { synthesize } = await import('../src/local/template/synthesize.ts');
  await synthesize(process.env);
} catch {
  // The sources can be incomplete, for example in the first layer of a container image.
}
