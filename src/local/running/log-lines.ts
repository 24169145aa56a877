import type { Log } from '../../aws-local/event-source/options.ts';

// What Lambda itself logs of each invoke, and what CloudWatch would make metrics of, would bury what
// the functions say.
const linesForAws = /^(?:(?:START|END|REPORT|INIT_START|INIT_REPORT) |\{"_aws":)/;

/** Logs the lines of functions, except of those that are muted. */
export function functionLog(log: (line: string) => void, muted: ReadonlySet<string>) {
  return (line: string, functionName: string) => {
    if (muted.has(functionName)) return;
    // Lambda joins the lines of a message by a character that a terminal takes as going back.
    if (!linesForAws.test(line) && line.trim() !== '') log(line.replaceAll('\r', '\n'));
  };
}

/** Logs a message and its fields as one line. */
export const messageLog =
  (log: (line: string) => void): Log =>
  (message, fields) =>
    log(fields ? `${message} ${JSON.stringify(fields)}` : message);
