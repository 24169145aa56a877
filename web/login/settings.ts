import { type LoginSettings, loginTagName } from '../../src/pages/insert-login-tag.ts';

/**
 * Reads the login settings from the page's `meta` tag. Returns undefined if there is no tag, which means that the
 * service requires no login.
 */
export function loginSettings(page: Document): LoginSettings | undefined {
  const tag = page.querySelector<HTMLMetaElement>(`meta[name="${loginTagName}"]`);
  if (!tag) return undefined;
  const { issuer = '', clientId = '', scope = '', parameters = '{}' } = tag.dataset;
  return {
    issuer,
    clientId,
    scope,
    parameters: JSON.parse(parameters) as LoginSettings['parameters'],
  };
}
