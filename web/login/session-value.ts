import type { LoginBrowser } from './login.ts';

/** A login that was begun, and has to end where it began. */
export interface LoginAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The path to come back to. */
  readonly back: string;
}

/** What an issuer gave. */
export interface Tokens {
  readonly access: string;
  readonly refresh: string | undefined;
  readonly id: string;
  readonly who: string;
}

/** Something that is kept for as long as the window is open, over the way to the issuer and back. */
export class SessionValue<Value> {
  readonly #storage: LoginBrowser['storage'];
  readonly #name: string;

  constructor(storage: LoginBrowser['storage'], name: string) {
    this.#storage = storage;
    this.#name = name;
  }

  get value(): Value | undefined {
    const text = this.#storage.getItem(this.#name);
    return text === null ? undefined : (JSON.parse(text) as Value);
  }

  set value(value: Value | undefined) {
    if (value === undefined) this.#storage.removeItem(this.#name);
    else this.#storage.setItem(this.#name, JSON.stringify(value));
  }
}
