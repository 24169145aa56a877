import type { LoginSettings } from '../../src/pages/insert-login-tag.ts';
import { sendBy } from '../api/send.ts';
import type { LoginBrowser } from './login.ts';
import { setSession } from './session.ts';

/** Restores the session or finishes a login before the first page renders. */
export async function startLogin(settings: LoginSettings): Promise<void> {
  // This module is loaded only if the service requires a login.
  const { OidcLogin } = await import('./oidc.ts');
  const out = (why?: string) => setSession({ kind: 'out', login, why });
  const login = new OidcLogin(settings, browser(), () => out('Your session has expired.'));
  sendBy(login.send);
  // A page that the browser kept while the window showed the issuer is outdated: the user may have logged out, or may
  // have returned without logging in.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) window.location.reload();
  });
  const trouble = await login.finish().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const { userName: who } = login;
  if (who !== undefined) setSession({ kind: 'in', login, who, roles: undefined });
  else out(trouble && `Login failed: ${trouble}`);
}

function browser(): LoginBrowser {
  return {
    storage: sessionStorage,
    get url() {
      return new URL(window.location.href);
    },
    go: (address) => window.location.assign(address),
    show: (path) => window.history.replaceState(null, '', path),
  };
}
