import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** A response that a test defines. */
export interface Scripted {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly body: string;
  readonly ifNoneMatch?: string;
}

interface StubInstance {
  model: string;
  transaction: string;
  status: string;
  parked: number;
  milestones: readonly unknown[];
}

/** The data that the service returns. */
export interface StubData {
  models: { id: string; [more: string]: unknown }[];
  versions?: Record<string, { functionVersion: string; version: number; current: boolean }[]>;
  instances: StubInstance[];
  histories: Record<string, unknown[]>;
  deadLetters: { id: string; reason: string }[];
  /** The links to the status pages of instances, by `model/transaction`. */
  links?: Record<string, { id: string; createdAt: string; expiresAt: string }[]>;
}

/** A stand-in for the service, which responds like its HTTP API with the data of a test. */
export class StubService {
  readonly received: Received[] = [];
  /** The accepted events, as parsed JSON, in order. */
  readonly events: Record<string, unknown>[] = [];
  data: StubData = { models: [], instances: [], histories: {}, deadLetters: [] };
  /** The maximum number of dead letters that one request redrives. */
  redrivenAtOnce = 100;
  /** The responses to `forget`, by the cursor of the request. */
  forgets: readonly object[] = [{ forgotten: true, rewritten: 0, parked: 0 }];
  hasETags = true;
  /** Returns a scripted response, or undefined for the regular response. */
  script: (request: Received, nth: number) => Scripted | 'hang up' | 'hang' | undefined = () =>
    undefined;
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('not listening');
    return `http://127.0.0.1:${address.port}`;
  }

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = {
      method: request.method ?? '',
      url: request.url ?? '',
      body: await text(request),
      ifNoneMatch: request.headers['if-none-match'],
    };
    this.received.push(received);
    const answer =
      this.script(received, this.received.length) ?? this.#answer(received) ?? problem(404, 'none');
    if (answer === 'hang up') request.socket.destroy();
    else if (answer === 'hang') return;
    else response.writeHead(answer.status, answer.headers).end(answer.body);
  }

  #answer({ method, url, body, ifNoneMatch }: Received): Scripted | undefined {
    const { pathname, searchParams: query } = new URL(url, 'http://localhost');
    const [api, list, ...parts] = pathname.slice(1).split('/').map(decodeURIComponent);
    if (api !== 'api') return undefined;
    const call = `${method} ${list} ${parts.length}`;
    const key = `${parts[0]}/${parts[1]}`;
    const instance = this.data.instances.find((i) => `${i.model}/${i.transaction}` === key);
    if (call === 'POST events 0') return this.#take(body);
    if (call === 'GET models 0') return json(200, { models: this.data.models });
    if (call === 'GET models 1') {
      const model = this.data.models.find(({ id }) => id === parts[0]);
      return model ? json(200, model) : problem(404, `there is no model ${parts[0]}`);
    }
    const versions = this.data.versions?.[parts[0] ?? ''];
    if (list === 'models' && !versions) return problem(404, `there is no model ${parts[0]}`);
    if (call === 'GET models 2') return json(200, { versions });
    if (call === 'POST models 2') {
      const { functionVersion } = JSON.parse(body) as { functionVersion: string };
      const found = versions?.find((each) => each.functionVersion === functionVersion);
      if (!found) return problem(404, `the registry has no version ${functionVersion}`);
      for (const each of versions!) each.current = each === found;
      return json(200, found);
    }
    if (call === 'GET instances 0') {
      const { model, status, q, late, parked } = Object.fromEntries(query);
      const found = this.data.instances.filter(
        (i) =>
          (!model || i.model === model) &&
          (!status || i.status === status) &&
          (!q || i.transaction.startsWith(q)) &&
          (!late || i.milestones.some((milestone) => isLate(milestone))) &&
          (!parked || i.parked > 0),
      );
      return json(200, page('instances', found, query));
    }
    if (call === 'GET dead-letters 0')
      return json(200, page('deadLetters', this.data.deadLetters, query));
    if (list === 'dead-letters') return this.#answerDeadLetters(call, parts, query);
    if (parts[2] === 'links')
      return this.#answerLinks(`${method} ${parts.length}`, key, parts[3], query);
    if (list === 'instances' && instance === undefined) return problem(404, `no instance ${key}`);
    if (call === 'GET instances 2')
      return this.hasETags ? tagged(json(200, instance), ifNoneMatch) : json(200, instance);
    if (call === 'GET instances 3')
      return json(200, page('entries', this.data.histories[key] ?? [], query));
    if (call === 'POST instances 3' && parts[2] === 'forget')
      return json(200, {
        ...this.forgets[Number(query.get('cursor') ?? 0)],
        revokedLinks: this.data.links?.[key]?.length ?? 0,
      });
    if (call === 'POST instances 3') return json(202, { redriven: instance?.parked });
    return undefined;
  }

  #answerLinks(
    call: string,
    instance: string,
    id: string | undefined,
    query: URLSearchParams,
  ): Scripted | undefined {
    const links = this.data.links?.[instance] ?? [];
    const keep = (kept: typeof links) => {
      this.data.links = { ...this.data.links, [instance]: kept };
    };
    if (call === 'GET 3') return json(200, page('links', links, query));
    if (call === 'DELETE 3') {
      keep([]);
      return json(200, { revoked: links.length });
    }
    if (call !== 'DELETE 4') return undefined;
    const others = links.filter((each) => each.id !== id);
    keep(others);
    return others.length < links.length
      ? { status: 204 }
      : problem(404, `the instance has no link ${id}`);
  }

  #answerDeadLetters(
    call: string,
    [id]: readonly string[],
    query: URLSearchParams,
  ): Scripted | undefined {
    if (call === 'POST dead-letters 1' && id === 'redrive') return this.#redrive(query);
    const letter = this.data.deadLetters.find((each) => each.id === id);
    if (!letter) return problem(404, `there is no dead letter ${id}`);
    if (call === 'GET dead-letters 1') return json(200, letter);
    if (call === 'POST dead-letters 2') return json(202, { redriven: 1 });
    if (call !== 'DELETE dead-letters 1') return undefined;
    this.data.deadLetters = this.data.deadLetters.filter((each) => each !== letter);
    return { status: 204 };
  }

  #redrive(query: URLSearchParams): Scripted {
    const reason = query.get('reason');
    const from = Number(query.get('cursor') ?? 0);
    const to = from + this.redrivenAtOnce;
    const { deadLetters } = this.data;
    const taken = deadLetters.slice(from, to).filter((each) => !reason || each.reason === reason);
    const cursor = to < deadLetters.length ? String(to) : undefined;
    return json(202, { redriven: taken.length, cursor });
  }

  #take(body: string): Scripted {
    if (Buffer.byteLength(JSON.stringify(body)) > 6_100_000) return problem(413, 'more than 6 MB');
    const parsed: unknown = JSON.parse(body);
    const events: Record<string, unknown>[] = Array.isArray(parsed) ? parsed : [parsed];
    if (events.length > 500) return problem(400, 'more than 500 events');
    const errors = events.flatMap((event, index) =>
      typeof event === 'object' && typeof event?.modelid === 'string'
        ? []
        : [{ index, detail: 'modelid is missing' }],
    );
    if (errors.length > 0) return problem(400, `${errors.length} bad events`, errors);
    this.events.push(...events);
    return json(202, { accepted: events.length });
  }
}

/** Creates a response with a problem (RFC 9457). */
export function problem(status: number, detail: string, errors?: unknown): Scripted {
  return {
    status,
    body: JSON.stringify({ title: 'Problem', status, detail, errors }),
    headers: { 'content-type': 'application/problem+json' },
  };
}

export function json(status: number, value: unknown): Scripted {
  return {
    status,
    body: JSON.stringify(value),
    headers: { 'content-type': 'application/json' },
  };
}

function tagged(answer: Scripted, known: string | undefined): Scripted {
  const etag = `"${createHash('sha1')
    .update(answer.body ?? '')
    .digest('base64')}"`;
  const headers = { ...answer.headers, etag };
  return etag === known ? { status: 304, headers } : { ...answer, headers };
}

const isLate = (milestone: unknown) => JSON.stringify(milestone).includes('"state":"late"');

function page(name: string, all: readonly unknown[], query: URLSearchParams) {
  const from = Number(query.get('cursor') ?? 0);
  const to = from + Number(query.get('limit') ?? 25);
  return { [name]: all.slice(from, to), cursor: to < all.length ? String(to) : undefined };
}
