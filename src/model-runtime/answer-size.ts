import { storedReason } from '../core/history/reason.ts';
import type { EventOutcome } from './protocol.ts';

/**
 * The maximum total size of the reasons in one response, in bytes of JSON. Lambda limits a response to 6 MB, and the
 * outcomes of the events in one request take less than 100 KB without their reasons.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const maximumReasonBytes = 2 * 1024 * 1024;

/**
 * Truncates the reasons of outcomes so that the response fits into Lambda's limit. Lambda reports a response that is
 * too large as a function error, even though the events were applied.
 */
export function fitIntoAnswer(outcomes: readonly EventOutcome[]): EventOutcome[] {
  const short = outcomes.map((each) => withReason(each, storedReason));
  const reasonBytes = short.map((each) => ('reason' in each ? jsonBytes(each.reason) : 0));
  const total = reasonBytes.reduce((sum, bytes) => sum + bytes, 0);
  if (total <= maximumReasonBytes) return short;
  const share = Math.floor(maximumReasonBytes / reasonBytes.filter((bytes) => bytes > 0).length);
  return short.map((each, n) =>
    reasonBytes[n]! <= share ? each : withReason(each, (reason) => cut(reason, share)),
  );
}

function withReason(outcome: EventOutcome, change: (reason: string) => string): EventOutcome {
  return 'reason' in outcome ? { ...outcome, reason: change(outcome.reason) } : outcome;
}

function cut(reason: string, bytes: number): string {
  const length = Math.floor((reason.length * bytes) / jsonBytes(reason));
  return `${reason.slice(0, length).toWellFormed()}…`;
}

const jsonBytes = (text: string) => Buffer.byteLength(JSON.stringify(text));
