import { Stack, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { MilepostError } from '../../src/core/errors.ts';
import { requireMethod } from './require-method.ts';

/** The part of a CDK resource with its account and region. */
interface Located {
  readonly env: { readonly account: string; readonly region: string };
}

/** The kinds of resources, for error messages, and a method that distinguishes a resource from its ARN or name. */
const kinds = {
  topic: ['a topic, such as Topic.fromTopicArn(…)', 'grantPublish'],
  key: ['a key, such as Key.fromKeyArn(…)', 'grantDecrypt'],
  function: ['a function, such as Function.fromFunctionArn(…)', 'grantInvoke'],
  bus: ['a bus, such as EventBus.fromEventBusArn(…)', 'grantPutEventsTo'],
} as const;

/**
 * Checks that a value is a resource in the region of the stack. The regions are compared only if both are known during
 * synthesis.
 *
 * @param subject the subject of the error message, such as '`alarmTopic`'.
 * @throws MilepostError `bad-request` if the value is not a resource of this kind, or if the regions differ.
 */
export function requireSameRegion(
  scope: Construct,
  subject: string,
  kind: keyof typeof kinds,
  resource: Located,
): void {
  const [expected, method] = kinds[kind];
  requireMethod(subject, resource, expected, method);
  requireSame(subject, 'region', resource.env.region, Stack.of(scope).region);
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
