/** How people log in to the pages. Where there is none, nobody has to. */
export interface LoginSettings {
  /** The OpenID Connect issuer, as its discovery document names it. */
  readonly issuer: string;
  readonly clientId: string;
  /** The scopes that are asked for, with spaces between them. */
  readonly scope: string;
  /** Further parameters of the request to log in, by name. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** The name of the tag that the pages look for. */
export const loginTagName = 'milepost-login';

/**
 * Has the pages ask for a login. The settings are in the page itself, so that no page waits for
 * another file first.
 *
 * @param index the page that every page begins with.
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
  if (!index.includes('</head>')) throw new Error('the first page has no head to put a login into');
  // A text that is put in by a function is put in as it is.
  return index.replace('</head>', () => `  ${tag}\n  </head>`);
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
