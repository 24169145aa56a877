import type { Log } from '../../aws-local/event-source/options.ts';
import { linesOfLambda } from '../../aws-local/lambda/invocation-log.ts';

// The start of a line with embedded metrics for CloudWatch.
const metrics = '{"_aws":';

/**
 * Returns a function that logs each line of a Lambda function's output, with the name of the Lambda function. The
 * function omits the output of muted functions, empty lines, and lines that are useful only in AWS and would hide the
 * functions' own output.
 */
export function functionLog(
  log: (line: string, functionName: string) => void,
  muted: ReadonlySet<string>,
) {
  return (line: string, functionName: string) => {
    if (muted.has(functionName)) return;
    // Lambda joins the lines of a message with carriage returns. On a terminal, such lines would overwrite each other.
    if (!linesOfLambda.test(line) && !line.startsWith(metrics) && line.trim() !== '')
      log(line.replaceAll('\r', '\n'), functionName);
  };
}

/** Returns a function that logs a message and its fields, as JSON, on one line. */
export const messageLog =
  (log: (line: string) => void): Log =>
  (message, fields) =>
    log(fields ? `${message} ${JSON.stringify(fields)}` : message);
