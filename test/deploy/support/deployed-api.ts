import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import { text } from 'node:stream/consumers';
import { SignatureV4 } from '@smithy/signature-v4';
import { Sha256 } from '../../support/sha256.ts';
import type { Account, Route } from './account.ts';

export interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
}

/** A client for the HTTP API of a stack, with credentials of its account. */
export class DeployedApi {
  readonly #route: Route;
  readonly #signer: SignatureV4;

  constructor(account: Account, url: string) {
    this.#route = account.routeTo(url);
    this.#signer = new SignatureV4({
      region: account.region,
      service: 'execute-api',
      credentials: () => account.credentials(),
      sha256: Sha256 as never,
    });
  }

  async ask<Body = Record<string, unknown>>(path: string): Promise<Answer<Body>> {
    const { host, endpoint } = this.#route;
    const { protocol, hostname } = endpoint;
    const request = { method: 'GET', protocol, hostname, path, headers: { host } };
    return this.#send(path, (await this.#signer.sign(request)).headers);
  }

  async askUnsigned(path: string): Promise<Answer<unknown>> {
    return this.#send(path, { host: this.#route.host });
  }

  async #send<Body>(path: string, headers: Record<string, string>): Promise<Answer<Body>> {
    const { endpoint, ca } = this.#route;
    const { get } = endpoint.protocol === 'https:' ? https : http;
    // Without this name, the client would expect a certificate for the API, which an emulator does not have.
    const options = { headers, agent: false, ...(ca && { ca, servername: 'localhost' }) };
    const [response] = (await once(get(new URL(path, endpoint), options), 'response')) as [
      http.IncomingMessage,
    ];
    return {
      status: response.statusCode!,
      body: JSON.parse(await text(response)) as Body,
    };
  }
}
