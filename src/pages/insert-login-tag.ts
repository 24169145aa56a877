/** The pages' login settings. Without these settings, the pages require no login. */
export interface LoginSettings {
  /** The OpenID Connect issuer, exactly as in its discovery document. */
  readonly issuer: string;
  readonly clientId: string;
  /** The requested scopes, separated by spaces. */
  readonly scope: string;
  /** Additional parameters of the authorization request, by name. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** The name of the meta tag that the pages read. */
export const loginTagName = 'milepost-login';

/**
 * Adds login settings to the index page so that the page does not need to load them from another file.
 *
 * @param index the HTML of the index page.
 * @throws Error if the page has no `</head>` tag.
 */
export function insertLoginTag(index: string, settings: LoginSettings): string {
  const { issuer, clientId, scope, parameters } = settings;
  const data = {
    issuer,
    'client-id': clientId,
    scope,
    parameters: JSON.stringify(parameters),
  };
  const attributes = Object.entries(data).map(([name, value]) => `data-${name}="${escape(value)}"`);
  const tag = `<meta name="${loginTagName}" ${attributes.join(' ')} />`;
  if (!index.includes('</head>')) throw new Error('the index page has no </head> tag');
  // Replace with a function because patterns such as $& have a special meaning in a replacement string.
  return index.replace('</head>', () => `  ${tag}\n  </head>`);
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
