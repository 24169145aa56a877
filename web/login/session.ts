import { useEffect, useState } from 'preact/hooks';
import type { Me } from '../api/types.ts';
import type { Login } from './login.ts';

/** The user's session: no login required, logged out, or logged in. */
export type Session =
  /** The service requires no login. The API still checks permissions. */
  | { readonly kind: 'open' }
  | {
      readonly kind: 'out';
      readonly login: Login;
      /**
       * The reason why the user is logged out, such as a failed login or an expired session; undefined if the user has
       * simply not logged in.
       */
      readonly why: string | undefined;
      /** True until the window leaves for the issuer, after the user logged out. */
      readonly isEnding?: true;
    }
  | {
      readonly kind: 'in';
      readonly login: Login;
      readonly who: string;
      /** The user's roles; undefined until they are loaded. */
      readonly roles: Me['roles'] | undefined;
    };

let session: Session = { kind: 'open' };
const listeners = new Set<(now: Session) => void>();

/** Replaces the session and notifies the components that use it. */
export function setSession(now: Session): void {
  session = now;
  for (const listener of listeners) listener(now);
}

/** Sets the user's roles; undefined if they are unknown. Has no effect unless the user is logged in. */
export function setRoles(roles: Me['roles'] | undefined): void {
  if (session.kind === 'in') setSession({ ...session, roles });
}

/** Returns the current session. The component renders again when the session changes. */
export function useSession(): Session {
  const [now, setNow] = useState(session);
  useEffect(() => {
    listeners.add(setNow);
    setNow(session);
    return () => {
      listeners.delete(setNow);
    };
  }, []);
  return now;
}

/** Returns why the user cannot make changes, or undefined if changes are permitted. */
export function useRefusal(): string | undefined {
  const now = useSession();
  if (now.kind !== 'in' || now.roles?.includes('operator')) return undefined;
  return now.roles ? 'requires the operator role' : 'checking your permissions';
}
