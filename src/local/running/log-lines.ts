import type { Log } from '../../aws-local/event-source/options.ts';

// Lambda's log lines for each invocation and CloudWatch's embedded metrics would bury the functions' own output.
const linesForAws = /^(?:(?:START|END|REPORT|INIT_START|INIT_REPORT) |\{"_aws":)/;

/** Logs the output of functions, except for muted ones. */
export function functionLog(log: (line: string) => void, muted: ReadonlySet<string>) {
  return (line: string, functionName: string) => {
    if (muted.has(functionName)) return;
    // Lambda joins the lines of a message with carriage returns, which a terminal would overwrite.
    if (!linesForAws.test(line) && line.trim() !== '') log(line.replaceAll('\r', '\n'));
  };
}

/** Logs a message and its fields on one line. */
export const messageLog =
  (log: (line: string) => void): Log =>
  (message, fields) =>
    log(fields ? `${message} ${JSON.stringify(fields)}` : message);
