import type { Clock } from '../../common/clock.ts';
import { Deadline } from '../../common/deadline.ts';
import { messageOf } from '../../common/message-of.ts';
import { type Check, type Finding, unknown } from './check.ts';
import { shortened } from './phrases.ts';

/** How long a check can take, in milliseconds. */
const timeLimit = 5_000;

/** A finding with the id of its check. */
export interface CheckResult extends Finding {
  readonly id: string;
}

/** The clock for the time limit and the log for errors from checks. */
export interface RunChecksDependencies {
  readonly clock: Clock;
  readonly logError: (error: unknown) => void;
}

/**
 * Runs all checks in parallel. A check that throws an error or takes more than 5 seconds results in `unknown` and does
 * not affect other checks.
 */
export function runChecks(
  checks: readonly Check[],
  dependencies: RunChecksDependencies,
): Promise<CheckResult[]> {
  return Promise.all(
    checks.map(async (check) => ({ id: check.id, ...(await findingOf(check, dependencies)) })),
  );
}

async function findingOf(
  { run }: Check,
  { clock, logError }: RunChecksDependencies,
): Promise<Finding> {
  try {
    const finding = await Deadline.in(clock, timeLimit).race(run());
    return finding === 'late'
      ? unknown(`no response within ${timeLimit / 1_000} seconds`)
      : finding;
  } catch (error) {
    logError(error);
    return unknown(reasonOf(error));
  }
}

/** @see https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot_access-denied.html */
const denial = /not authorized to perform: (\S+?)(?: on resource: (\S+))?(?:\s|$)/;

function reasonOf(error: unknown): string {
  const message = messageOf(error);
  const [, action, resource] = denial.exec(message) ?? [];
  if (action !== undefined)
    return `the API's role is not allowed to call ${action}${resource ? ` on ${resource}` : ''}; look for a permissions boundary or a service control policy that denies it`;
  const name = error instanceof Error && error.name !== 'Error' ? `${error.name}: ` : '';
  return shortened(`could not be checked: ${name}${message}`);
}
