import type { Send } from '../api/send.ts';

/** A login at an issuer, from the first redirect to the sign-out. */
export interface Login {
  /** Who is logged in, by name; undefined: nobody. */
  readonly userName: string | undefined;
  /** Sends a request with the token, or with a new one where the API no longer takes it. */
  readonly send: Send;
  /** Goes to the issuer, and comes back to the page that one is at. */
  begin(): Promise<void>;
  /** Forgets who is logged in, and has the issuer do so. */
  end(): Promise<void>;
}

/** What a login uses of the browser. */
export interface LoginBrowser {
  /** Kept for this window, and for no longer than it is open. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly url: URL;
  /** Leaves for another address. */
  go(address: string): void;
  /** Shows another address of ours, without loading it. */
  show(path: string): void;
}
