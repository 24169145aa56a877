/** The major version of Node.js for the functions in Lambda and for the local service. */
export const lambdaNodeVersion = 24;

/**
 * JavaScript at the start of every function bundle. On an older Node.js, for example the one that an emulator of
 * Lambda finds on its PATH, loading the function fails with this message instead of some requests failing later.
 */
export const nodeVersionGuard =
  `if(parseInt(process.versions.node)<${lambdaNodeVersion})` +
  `throw new Error('Milepost functions need Node.js ${lambdaNodeVersion} or later, but this is '+process.version+` +
  `': put a newer node first on the PATH of the process that runs them.');`;
