import type { Log } from '../../aws-local/event-source/options.ts';

// Matches Lambda's lines about each invocation and the embedded metrics for CloudWatch, which would hide the functions'
// own output.
const linesForAws = /^(?:(?:START|END|REPORT|INIT_START|INIT_REPORT) |\{"_aws":)/;

/** Logs the output of functions with the function's name, except for muted ones. */
export function functionLog(
  log: (line: string, functionName: string) => void,
  muted: ReadonlySet<string>,
) {
  return (line: string, functionName: string) => {
    if (muted.has(functionName)) return;
    // Lambda joins the lines of a message with carriage returns, so that the lines would overwrite each other on a
    // terminal.
    if (!linesForAws.test(line) && line.trim() !== '')
      log(line.replaceAll('\r', '\n'), functionName);
  };
}

/** Logs a message and its fields on one line. */
export const messageLog =
  (log: (line: string) => void): Log =>
  (message, fields) =>
    log(fields ? `${message} ${JSON.stringify(fields)}` : message);
