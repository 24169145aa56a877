/** The major version of Node.js that functions in Lambda and the local service use. */
export const lambdaNodeVersion = 24;

/**
 * JavaScript code that checks the version of Node.js at the start of every function bundle. Without this check, an
 * older Node.js, such as the version that a Lambda emulator finds on its PATH, would load the function, and some
 * requests would fail later.
 */
export const nodeVersionGuard =
  `if(parseInt(process.versions.node)<${lambdaNodeVersion})` +
  `throw new Error('Milepost functions need Node.js ${lambdaNodeVersion} or later, but this is '+process.version+` +
  `'; put a newer node first on the PATH of the process that runs them');`;
