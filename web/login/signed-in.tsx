import { useEffect } from 'preact/hooks';
import type { Me } from '../api/types.ts';
import { useLive } from '../api/use-live.ts';
import { forgetRecent } from '../pure/recent.ts';
import { setRoles, setSession, useSession } from './session.ts';

/** The interval at which the user's roles are reloaded, in milliseconds. */
const everyMs = 60_000;

/** The user's name and role, with a button to log out. */
export function SignedIn() {
  const session = useSession();
  const isIn = session.kind === 'in';
  const { body, failure } = useLive<Me>(isIn ? '/api/me' : undefined, everyMs);
  // The API responds with 403 to users without a role.
  const roles = failure?.status === 403 ? none : body?.roles;
  useEffect(() => setRoles(roles), [roles, isIn]);
  if (!isIn) return null;
  const { who, login } = session;
  return (
    <div class="who">
      <span class="name" title={who}>
        {who}
      </span>{' '}
      <span class="faint">{roles ? highest(roles) : ''}</span>
      <button
        type="button"
        onClick={() => {
          forgetRecent(sessionStorage);
          // Hide the data while the issuer logs the user out.
          setSession({ kind: 'out', login, why: 'Logging out…', isEnding: true });
          void login.end();
        }}
      >
        Log out
      </button>
    </div>
  );
}

const none: Me['roles'] = [];

const highest = (roles: Me['roles']) =>
  roles.includes('operator') ? 'operator' : (roles[0] ?? 'no role');
