import type { LoginBrowser } from './login.ts';

/** A login in progress, which must finish in the window that started it. */
export interface LoginAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The path of the page to return to after the login. */
  readonly back: string;
}

/** The tokens from the issuer. */
export interface Tokens {
  readonly access: string;
  readonly refresh: string | undefined;
  readonly id: string;
  readonly who: string;
}

/** A value that survives the redirects to the issuer and back, until the window closes. */
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
