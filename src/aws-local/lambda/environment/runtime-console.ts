import { formatLog } from './log-format.ts';
import { errorLogJson } from './runtime-error.ts';

const levels = {
  trace: 'TRACE',
  debug: 'DEBUG',
  log: 'INFO',
  info: 'INFO',
  warn: 'WARN',
  error: 'ERROR',
} as const;

/**
 * Sends all output of the process to `write`, in order: console output in the function's log format, and output to the
 * two standard streams unchanged. The standard streams themselves are not used: they are separate pipes, whose output
 * could arrive after the result.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html
 * @returns a function that logs a thrown value, even if the Lambda function has replaced the console.
 */
export function captureOutput(
  write: (text: string) => void,
  requestId: () => string | undefined,
): (title: string, thrown: unknown) => void {
  const logFormat = process.env.AWS_LAMBDA_LOG_FORMAT === 'JSON' ? 'JSON' : 'Text'; // oxlint-disable-line node/no-process-env -- set by Lambda
  const format = formatLog[logFormat];
  const printer =
    (level: string) =>
    (...parts: unknown[]) => {
      const timestamp = new Date().toISOString();
      write(`${format({ timestamp, level, requestId: requestId() }, parts)}\n`);
    };
  for (const [method, level] of Object.entries(levels)) {
    Object.assign(console, { [method]: printer(level) });
  }
  for (const stream of [process.stdout, process.stderr]) {
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
      write(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
      const written = rest.find((part) => typeof part === 'function');
      if (written !== undefined) process.nextTick(written);
      return true;
    };
  }
  const logError = printer(levels.error);
  return (title, thrown) => {
    if (logFormat === 'Text') logError(title, `\t${errorLogJson(thrown)}`);
    else logError(thrown instanceof Error ? thrown : new Error(String(thrown)));
  };
}
