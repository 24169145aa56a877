import { Token } from 'aws-cdk-lib';
import { MilepostError } from '../../src/core/errors.ts';
import type { OperatorPagesProps } from '../pages/operator-pages.ts';
import { requireHttps } from './check-origins.ts';
import { pagesOptions } from './option-names.ts';
import { requireMethod } from './require-method.ts';
import { requireObject } from './require-object.ts';
import { requireStrings } from './require-strings.ts';
import { shown } from './shown.ts';

/**
 * Checks the settings of the operator pages.
 *
 * @throws MilepostError `bad-request` for a value that CloudFront would reject, or that would prevent logins.
 */
export function checkPages(pages: OperatorPagesProps): void {
  requireObject('`operatorPages`', pages, "{ clientId: 'status-pages' }", pagesOptions);
  const { clientId, tokenOrigin, domain, scope, loginParameters = {} } = pages;
  if (!clientId || typeof clientId !== 'string')
    throw new MilepostError(
      'bad-request',
      `\`operatorPages.clientId\` must be the client id that the issuer assigned to the pages; got ${shown(clientId)}`,
    );
  if (scope !== undefined && (typeof scope !== 'string' || scope === ''))
    throw new MilepostError(
      'bad-request',
      `\`operatorPages.scope\` must be scopes separated by spaces, such as 'openid email'; got ${shown(scope)}`,
    );
  const example = "{ audience: 'https://api.example.org' }";
  requireStrings('`operatorPages.loginParameters`', loginParameters, example);
  checkPageResources(pages);
  if (tokenOrigin !== undefined) requireHttps('`operatorPages.tokenOrigin`', tokenOrigin);
  if (domain !== undefined && !Token.isUnresolved(domain) && !/^[\w-]+(\.[\w-]+)+$/.test(domain))
    throw new MilepostError(
      'bad-request',
      `\`operatorPages.domain\` must be a domain name such as status.example.org; got "${domain}"`,
    );
}

function checkPageResources({ certificate, accessLogBucket, webAclArn }: OperatorPagesProps): void {
  if (certificate !== undefined)
    requireMethod(
      '`operatorPages.certificate`',
      certificate,
      'a certificate, such as Certificate.fromCertificateArn(…)',
      'metricDaysToExpiry',
    );
  if (accessLogBucket !== undefined)
    requireMethod(
      '`operatorPages.accessLogBucket`',
      accessLogBucket,
      'a bucket, such as Bucket.fromBucketName(…)',
      'grantWrite',
    );
  if (
    webAclArn !== undefined &&
    !Token.isUnresolved(webAclArn) &&
    !(typeof webAclArn === 'string' && webAclArn.startsWith('arn:'))
  )
    throw new MilepostError(
      'bad-request',
      `\`operatorPages.webAclArn\` must be the ARN of a web ACL, which starts with arn:; got ${shown(webAclArn)}`,
    );
}
