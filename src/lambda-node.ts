/** The major version of Node.js that Lambda runs the functions on, and the service on one machine too. */
export const lambdaNodeVersion = 24;

/**
 * JavaScript that stands first in the bundle of every function. On an older Node.js, such as the one an emulator of Lambda
 * finds on its PATH, loading the function fails with this sentence instead of some requests failing later.
 */
export const nodeVersionGuard =
  `if(parseInt(process.versions.node)<${lambdaNodeVersion})` +
  `throw new Error('Milepost functions need Node.js ${lambdaNodeVersion} or later, and this is '+process.version+` +
  `': put a newer node first on the PATH of the process that runs them.');`;
