import type { Send } from '../api/send.ts';

/** A login at an issuer, from the first redirect to the logout. */
export interface Login {
  /** The user's name; undefined if no user is logged in. */
  readonly userName: string | undefined;
  /** Sends a request with the token and renews the token if the API rejects it. */
  readonly send: Send;
  /** Starts a login: redirects to the issuer. After the login, the user returns to the current page. */
  begin(): Promise<void>;
  /** Logs out in this window and at the issuer. */
  end(): Promise<void>;
}

/** The browser features that a login uses. */
export interface LoginBrowser {
  /** Storage for this window, cleared when it closes. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly url: URL;
  /** Navigates to an address, which may be on another site. */
  go(address: string): void;
  /** Changes the address without loading a page. */
  show(path: string): void;
}
