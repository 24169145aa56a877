import { messageOf } from '../common/message-of.ts';
import { lambdaNodeVersion } from '../lambda-node.ts';
import { readSettings } from './settings/settings.ts';
import { type LocalStack, startStack } from './stack.ts';

/**
 * Runs the whole service on this machine until SIGINT or SIGTERM. When
 * everything answers, one line of JSON goes to standard output; every other
 * word goes to standard error.
 *
 * @param env the MILEPOST_* variables, and what else started commands should see.
 * @returns the exit status: 0 when it was stopped, 1 when it could not start or go on.
 */
export async function runLocal(env: Readonly<Record<string, string | undefined>>): Promise<number> {
  const log = (line: string) => process.stderr.write(`${line}\n`);
  const major = Number(process.versions.node.split('.')[0]);
  if (major !== lambdaNodeVersion) {
    log(
      `Milepost runs on Node.js ${lambdaNodeVersion}, as its Lambdas do, and this is ${process.version}: start it with npm start or npx milepost local`,
    );
    return 1;
  }
  const stopped = Promise.withResolvers<number>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.resolve(0));
  const watch = env.npm_command === undefined ? undefined : onParentExit(() => stopped.resolve(0));
  try {
    log('Milepost is starting …');
    const starting = startStack(readSettings(env), { env, log });
    const first = await Promise.race([starting, stopped.promise]);
    if (typeof first === 'number') return await stopWhenStarted(starting, first);
    await using stack = first;
    process.stdout.write(`${JSON.stringify(stack.ready)}\n`);
    const failed = stack.failed.then((reason) => {
      log(reason);
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
 * npm hands a signal to its shell, and some shells end by it without a word to what they started. Then
 * it is as if the signal had come here.
 */
function onParentExit(then: () => void): NodeJS.Timeout {
  const { ppid } = process;
  return setInterval(() => process.ppid !== ppid && then(), 250);
}

async function stopWhenStarted(starting: Promise<LocalStack>, status: number): Promise<number> {
  await using _ = await starting;
  return status;
}
