import type { Caller } from '../../../src/api/access/log-changes.ts';

/** The names of the claims that identify a person or a program, in tokens of Cognito and other issuers. */
const claimNames = [
  'sub',
  'email',
  'username',
  'cognito:username',
  'preferred_username',
  'client_id',
];

/** The parts of an HTTP API's event that the authorizer added. */
interface AuthorizedEvent {
  readonly requestContext?: {
    readonly authorizer?: {
      readonly jwt?: { readonly claims?: Readonly<Record<string, unknown>> };
      readonly iam?: { readonly userArn?: string };
    };
  };
}

/**
 * Identifies the caller of an HTTP API: by claims of the verified token, or by the ARN of the IAM principal.
 *
 * @param env the bindings that Hono forwards from the invocation.
 * @returns the caller; undefined if the API has no authorizer or the token has none of the claims.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function callerOf(env: unknown): Caller | undefined {
  const { event } = env as { event?: AuthorizedEvent };
  const { jwt, iam } = event?.requestContext?.authorizer ?? {};
  if (iam?.userArn) return { arn: iam.userArn };
  const claims = claimNames
    .map((name) => [name, jwt?.claims?.[name]])
    .filter((claim): claim is [string, string] => typeof claim[1] === 'string');
  return claims.length > 0 ? Object.fromEntries(claims) : undefined;
}
