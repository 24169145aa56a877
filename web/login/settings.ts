import { type LoginSettings, loginTagName } from '../../src/pages/insert-login-tag.ts';

/** How people log in here, as the page itself says; undefined: nobody has to. */
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
