import { Token } from 'aws-cdk-lib';
import { MilepostError } from '../../src/core/errors.ts';
import type { OperatorPagesProps } from '../pages/operator-pages.ts';
import { requireHttps } from './check-origins.ts';

/**
 * Checks the text settings of the operator pages.
 *
 * @throws MilepostError `bad-request` for a value that CloudFront would reject, or that would prevent logins.
 */
export function checkPages({ clientId, tokenOrigin, domain }: OperatorPagesProps): void {
  if (!clientId)
    throw new MilepostError(
      'bad-request',
      `\`operatorPages.clientId\` must be the client id that the issuer assigned to the pages; got "${clientId}"`,
    );
  if (tokenOrigin !== undefined) requireHttps('`operatorPages.tokenOrigin`', tokenOrigin);
  if (domain !== undefined && !Token.isUnresolved(domain) && !/^[\w-]+(\.[\w-]+)+$/.test(domain))
    throw new MilepostError(
      'bad-request',
      `\`operatorPages.domain\` must be a domain name such as status.example.org; got "${domain}"`,
    );
}
