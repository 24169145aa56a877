import type { Hono } from 'hono';
import type { Role } from '../../src/api/access/roles.ts';
import { createApi } from '../../src/api/app.ts';
import { createTrackApp } from '../../src/api/customer-pages/track-app.ts';
import { Observer } from '../../src/model-runtime/observer.ts';
import type { PositionedEvent } from '../../src/model-runtime/protocol.ts';
import { transition } from '../../src/model-runtime/transition.ts';
import type { EventMacs } from '../../src/stream/signing/event-macs.ts';
import { SignedStream } from '../../src/stream/signing/signed-stream.ts';
import { counter } from './counter-model.ts';
import { macsOf } from './event-macs.ts';
import { LocalAuditor } from './local-auditor.ts';
import { ManualClock } from './manual-clock.ts';
import { MemoryDescriber } from './memory-describer.ts';
import { MemoryEventStream } from './memory-event-stream.ts';
import { MemoryInstanceLists } from './memory-instance-lists.ts';
import { MemoryInstanceStore } from './memory-instance-store.ts';
import { MemoryInstanceWalk } from './memory-instance-walk.ts';
import { MemoryNotifier } from './memory-notifier.ts';
import { ModelRegistryInMemory } from './model-registry-in-memory.ts';
import { registryEntry } from './registry-entry.ts';
import {
  customerLinksInMemory,
  deadLettersInMemory,
  observationStoreInMemory,
} from './stores-in-memory.ts';

/** A response of the API: its status, headers and body, parsed if it is JSON. */
export interface Answer<Body> {
  readonly status: number;
  readonly contentType: string | null;
  readonly headers: Headers;
  readonly body: Body;
}

/** The key that signs links. */
export const linkKey = 'the key of the tests';

/** The HTTP API with stores in memory. */
export class MemoryApi {
  readonly store = new MemoryInstanceStore();
  readonly models = new ModelRegistryInMemory(registryEntry('counter'));
  readonly describer = new MemoryDescriber();
  readonly observations = observationStoreInMemory();
  readonly stream = new MemoryEventStream();
  readonly notificationStream = new MemoryEventStream();
  readonly notifier = new MemoryNotifier();
  /** Signs the events that the API puts for operators. */
  macs: Pick<EventMacs, 'sign'> = macsOf();
  readonly clock = new ManualClock();
  readonly deadLetters = deadLettersInMemory(this.clock);
  readonly links = customerLinksInMemory(this.clock);
  readonly errors: unknown[] = [];
  readonly observer = new Observer('counter', {
    store: this.observations,
    clock: this.clock,
    logError: (error) => this.errors.push(error),
  });
  /** The trace that requests belong to. */
  traceparent: string | undefined;
  /** The role of callers who send none; undefined: everything is allowed. */
  roles: readonly Role[] | undefined;
  readonly auditor = new LocalAuditor(counter, this.store, this.clock);
  readonly app: Hono = createApi({
    instances: this.store,
    parking: this.store,
    lists: new MemoryInstanceLists(this.store),
    scanner: new MemoryInstanceWalk(this.store),
    auditor: this.auditor,
    models: this.models,
    versions: this.models,
    describer: this.describer,
    deadLetters: this.deadLetters,
    observations: this.observations,
    stream: this.stream,
    notificationStream: this.notificationStream,
    ownStream: new SignedStream(this.stream, { sign: (records) => this.macs.sign(records) }),
    clock: this.clock,
    rolesOf: (env) => (env as { roles?: readonly Role[] } | undefined)?.roles ?? this.roles,
    links: this.links,
    linkKey: () => Promise.resolve(linkKey),
    corsOrigins: ['https://status.example.org'],
    logError: (error) => this.errors.push(error),
    traceparent: () => this.traceparent,
  });

  /** Customers' status pages, with the same stores. */
  readonly trackApp: Hono = createTrackApp({
    instances: this.store,
    models: this.models,
    observations: this.observations,
    links: this.links,
    linkKey: () => Promise.resolve('the key of the tests'),
    clock: this.clock,
    logError: (error) => this.errors.push(error),
  });

  /** Applies events of the counter model, like its Lambda. */
  async apply(...events: PositionedEvent[]): Promise<void> {
    const { store, stream, notifier, clock, observer } = this;
    await transition({ model: counter, store, stream, notifier, clock, observer }, events);
  }

  get<Body>(path: string): Promise<Answer<Body>> {
    return this.send<Body>('GET', path);
  }

  async send<Body>(
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ): Promise<Answer<Body>> {
    const response = await this.app.request(path, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return {
      status: response.status,
      contentType: response.headers.get('content-type'),
      headers: response.headers,
      body: (text === '' ? undefined : JSON.parse(text)) as Body,
    };
  }
}

/** A problem document, as in RFC 9457. */
export interface ProblemBody {
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly { readonly index: number; readonly detail: string }[];
}
