import type { IHttpRouteAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpIamAuthorizer, HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import type { Construct } from 'constructs';
import { MilepostError } from '../src/core/errors.ts';
import { OperatorPages, type OperatorPagesScopeProps } from './pages/operator-pages.ts';
import type { ProcessTrackerProps } from './process-tracker-props.ts';

/** Adds the operator pages to a tracker if they are enabled. */
export function addPages(
  scope: Construct,
  { operatorPages, apiTokens }: ProcessTrackerProps,
  given: Omit<OperatorPagesScopeProps, 'clientId' | 'issuer'>,
): OperatorPages | undefined {
  if (!operatorPages) return undefined;
  if (!apiTokens)
    throw new MilepostError(
      'bad-request',
      '`operatorPages` requires `apiTokens`, because browsers authenticate with a token from the issuer in `apiTokens`',
    );
  const { issuer } = apiTokens;
  return new OperatorPages(scope, 'Pages', { ...operatorPages, ...given, issuer });
}

/** Creates the authorizer of the HTTP API: by default, the IAM authorizer. */
export function authorizerOf({
  apiAuthorizer,
  apiTokens,
}: ProcessTrackerProps): IHttpRouteAuthorizer {
  if (apiAuthorizer && apiTokens)
    throw new MilepostError('bad-request', 'set either apiAuthorizer or apiTokens, not both');
  if (!apiTokens) return apiAuthorizer ?? new HttpIamAuthorizer();
  const { issuer, audience } = apiTokens;
  return new HttpJwtAuthorizer('Tokens', issuer, { jwtAudience: [...audience] });
}
