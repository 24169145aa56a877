import { useEffect, useState } from 'preact/hooks';
import type { Me } from '../api/types.ts';
import type { Login } from './login.ts';

/** The session of the user. */
export type Session =
  /** The service requires no login. The API checks permissions. */
  | { readonly kind: 'open' }
  | {
      readonly kind: 'out';
      readonly login: Login;
      /** The error of a failed login, or the reason for the logout. */
      readonly why: string | undefined;
    }
  | {
      readonly kind: 'in';
      readonly login: Login;
      readonly who: string;
      /** The roles of the user; undefined until they are loaded. */
      readonly roles: Me['roles'] | undefined;
    };

let session: Session = { kind: 'open' };
const listeners = new Set<(now: Session) => void>();

/** Replaces the session. */
export function setSession(now: Session): void {
  session = now;
  for (const listener of listeners) listener(now);
}

/** Sets the roles of the user; undefined if they are unknown. */
export function setRoles(roles: Me['roles'] | undefined): void {
  if (session.kind === 'in') setSession({ ...session, roles });
}

/** Returns the current session and renders again when it changes. */
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

/** Returns the reason why the user cannot make changes, or undefined if the user can. */
export function useRefusal(): string | undefined {
  const now = useSession();
  if (now.kind !== 'in' || now.roles?.includes('operator')) return undefined;
  return now.roles ? 'requires the operator role' : 'checking your permissions';
}
