import { format } from 'node:util';

const levels = {
  trace: 'TRACE',
  debug: 'DEBUG',
  log: 'INFO',
  info: 'INFO',
  warn: 'WARN',
  error: 'ERROR',
} as const;

/**
 * Sends all output of the process to `write`, in order: the console in AWS's text format, and the two streams
 * unchanged. The process's own streams are separate pipes, whose output could arrive after the result.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html
 * @returns the original `console.error`, unaffected by later changes of the console
 */
export function captureOutput(
  write: (text: string) => void,
  requestId: () => string | undefined,
): (...parts: unknown[]) => void {
  const printer =
    (level: string) =>
    (...parts: unknown[]) => {
      const line = `${new Date().toISOString()}\t${requestId()}\t${level}\t${format(...parts)}`;
      // Lambda keeps a multiline message together.
      write(`${line.replaceAll('\n', '\r')}\n`);
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
  return printer(levels.error);
}
