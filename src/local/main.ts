import { messageOf } from '../common/message-of.ts';
import { lambdaNodeVersion } from '../lambda-node.ts';
import { startDemo } from './demo/start-demo.ts';
import { readableLine } from './running/readable-line.ts';
import { readSettings } from './settings/settings.ts';
import { type LocalStack, startStack } from './stack.ts';

/**
 * How long the service may continue to start after a signal, in milliseconds. Docker kills a container after 10
 * seconds.
 */
const startLimitMs = 8_000;

/**
 * Runs the complete service on this machine until it receives SIGINT or SIGTERM. Prints one line of JSON to standard
 * output when every endpoint is ready, and all other output to standard error.
 *
 * @param env the `MILEPOST_*` variables, and the environment of child processes.
 * @returns the exit status: 0 if the service was stopped, 1 if it failed to start or exited unexpectedly.
 */
export async function runLocal(env: Readonly<Record<string, string | undefined>>): Promise<number> {
  let isFailed = false;
  const log = (line: string) => {
    // Log nothing after the reason for a failure. Without an endpoint, functions would log errors until they stop.
    if (!isFailed) process.stderr.write(`${readableLine(line)}\n`);
  };
  const major = Number(process.versions.node.split('.')[0]);
  if (major !== lambdaNodeVersion) {
    log(
      `Milepost requires Node.js ${lambdaNodeVersion}, the version of its Lambda functions; this is ${process.version}. Run \`npm start\` or \`npx milepost local\`.`,
    );
    return 1;
  }
  const stopped = Promise.withResolvers<number>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.resolve(0));
  const watch = env.npm_command === undefined ? undefined : onParentExit(() => stopped.resolve(0));
  try {
    const settings = readSettings(env);
    const starting = startStack(settings, { env, log });
    const first = await Promise.race([starting, stopped.promise]);
    if (typeof first === 'number') return await stopWhenStarted(starting, first);
    await using stack = first;
    process.stdout.write(`${JSON.stringify(stack.ready)}\n`);
    await using _ = settings.demo ? startDemo(stack.ready, log) : undefined;
    const failed = stack.failed.then((reason) => {
      log(reason);
      isFailed = true;
      return 1;
    });
    return await Promise.race([stopped.promise, failed]);
  } catch (error) {
    log(messageOf(error));
    return 1;
  } finally {
    clearInterval(watch);
  }
}

/**
 * Calls a function when the parent process exits. Otherwise, the service could keep running after npm is stopped: npm
 * sends signals to a shell, and some shells exit without forwarding signals to their child processes.
 */
function onParentExit(then: () => void): NodeJS.Timeout {
  const { ppid } = process;
  return setInterval(() => process.ppid !== ppid && then(), 250);
}

/**
 * Stops a service that received a signal while it was starting. If the start does not finish in time, exits the
 * process. Like `kill -9`, this exit leaves the stored data intact. A failure during the start is ignored because
 * Ctrl+C also ends child processes that the start needs.
 */
async function stopWhenStarted(starting: Promise<LocalStack>, status: number): Promise<number> {
  const limit = setTimeout(() => process.exit(status), startLimitMs);
  await using _ = await starting.catch(() => undefined).finally(() => clearTimeout(limit));
  return status;
}
