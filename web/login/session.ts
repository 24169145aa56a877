import { useEffect, useState } from 'preact/hooks';
import type { Me } from '../api/types.ts';
import type { Login } from './login.ts';

/** Who uses the pages. */
export type Session =
  /** Nobody has to log in here, and whoever is here may do what the API lets them. */
  | { readonly kind: 'open' }
  | {
      readonly kind: 'out';
      readonly login: Login;
      /** What went wrong, or why one is here again. */
      readonly why: string | undefined;
    }
  | {
      readonly kind: 'in';
      readonly login: Login;
      readonly who: string;
      /** undefined: the API has not said yet. */
      readonly roles: Me['roles'] | undefined;
    };

let session: Session = { kind: 'open' };
const listeners = new Set<(now: Session) => void>();

/** Says that somebody came or left. */
export function setSession(now: Session): void {
  session = now;
  for (const listener of listeners) listener(now);
}

/** Says what who is here may do; undefined: that is not known. */
export function setRoles(roles: Me['roles'] | undefined): void {
  if (session.kind === 'in') setSession({ ...session, roles });
}

/** Who uses the pages now. */
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

/** Why who is here may change nothing; undefined: they may, as far as one knows. */
export function useRefusal(): string | undefined {
  const now = useSession();
  if (now.kind !== 'in' || now.roles?.includes('operator')) return undefined;
  return now.roles ? 'this takes the role operator' : 'what you may do is not known yet';
}
