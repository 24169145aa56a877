import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { shiftClock } from './shift-clock.ts';
import { soakWorld, worldVariable } from './soak-world.ts';

/*
 * A preload module (`node --import`) of the service and of the processes that the service starts. The module shifts the
 * clocks of these processes and makes functions call DynamoDB, Kinesis, and Lambda through proxies.
 */
const world = soakWorld();
if (world) {
  shiftClock(world.clockFile);
  passOn();
}

type Start = (file: string, args: readonly string[], options: object) => unknown;

/** Changes the environment variables of child processes, which the service sets explicitly. */
function passOn(): void {
  const { fork, spawn } = childProcess;
  const patched = (start: Start) => (file: string, args: readonly string[], options: object) =>
    start(file, args, { ...options, env: environmentOf(options) });
  Object.assign(childProcess, { fork: patched(fork as Start), spawn: patched(spawn as Start) });
  syncBuiltinESMExports();
}

function environmentOf({ env = process.env }: { readonly env?: NodeJS.ProcessEnv }) {
  const endpoints = Object.entries(world?.endpoints ?? {}).flatMap(([name, url]) => {
    const variable = `AWS_ENDPOINT_URL_${name}`;
    return env[variable] === undefined ? [] : [[variable, url] as const];
  });
  return {
    ...env,
    NODE_OPTIONS: process.env.NODE_OPTIONS,
    [worldVariable]: process.env[worldVariable],
    ...Object.fromEntries(endpoints),
  };
}
