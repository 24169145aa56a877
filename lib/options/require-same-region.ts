import { Stack, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { MilepostError } from '../../src/core/errors.ts';

/** The part of a CDK resource with its account and region. */
interface Located {
  readonly env: { readonly account: string; readonly region: string };
}

/**
 * Checks that a resource is in the region of the stack, if both regions are known during synthesis.
 *
 * @param subject the subject of the error message, such as '`alarmTopic`'.
 * @throws MilepostError `bad-request` if the regions differ.
 */
export function requireSameRegion(scope: Construct, subject: string, { env }: Located): void {
  requireSame(subject, 'region', env.region, Stack.of(scope).region);
}

/**
 * Checks that a resource is in the account of the stack, if both accounts are known during synthesis.
 *
 * @throws MilepostError `bad-request` if the accounts differ.
 */
export function requireSameAccount(scope: Construct, subject: string, { env }: Located): void {
  requireSame(subject, 'account', env.account, Stack.of(scope).account);
}

function requireSame(subject: string, what: string, its: string, ours: string): void {
  if (its === ours || Token.isUnresolved(its) || Token.isUnresolved(ours)) return;
  throw new MilepostError(
    'bad-request',
    `${subject} must be in the ${what} of the stack, ${ours}; got ${its}`,
  );
}
