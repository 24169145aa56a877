import type { Hono } from 'hono';
import type { Caller, LoggedChange } from '../../../src/api/access/log-changes.ts';
import type { Role } from '../../../src/api/access/roles.ts';
import type { ApiDependencies } from '../../../src/api/api-dependencies.ts';
import { createApi } from '../../../src/api/app.ts';
import { createTrackApp } from '../../../src/api/customer-pages/track-app.ts';
import { LambdaModelInvoker } from '../../../src/aws/functions/lambda-model-invoker.ts';
import { Observer } from '../../../src/model-runtime/observer.ts';
import type { PositionedEvent } from '../../../src/model-runtime/protocol.ts';
import { transition } from '../../../src/model-runtime/transition.ts';
import type { EventMacs } from '../../../src/stream/signing/event-macs.ts';
import { SignedStream } from '../../../src/stream/signing/signed-stream.ts';
import { CountersInMemory } from '../aws-in-memory/counters-in-memory.ts';
import { EventStreamInMemory } from '../aws-in-memory/event-stream-in-memory.ts';
import { InstallationInMemory } from '../aws-in-memory/installation-in-memory.ts';
import { InstancesInMemory } from '../aws-in-memory/instances-in-memory.ts';
import { MemoryLambda } from '../aws-in-memory/memory-lambda.ts';
import { ModelRegistryInMemory } from '../aws-in-memory/model-registry-in-memory.ts';
import { NotifierInMemory } from '../aws-in-memory/notifier-in-memory.ts';
import {
  customerLinksInMemory,
  deadLettersInMemory,
  observationStoreInMemory,
} from '../aws-in-memory/stores-in-memory.ts';
import { macsOf } from '../data/event-macs.ts';
import { ManualClock } from '../manual-clock.ts';
import { counter } from '../models/counter-model.ts';
import { registryEntry } from '../models/registry-entry.ts';
import { LocalAuditor } from './local-auditor.ts';

/** A response from the API. The body is the parsed JSON; undefined if the response is empty. */
export interface Answer<Body> {
  readonly status: number;
  readonly contentType: string | null;
  readonly headers: Headers;
  readonly body: Body;
}

export const linkKey = 'the key of the tests';

/** A placeholder for the module that defines `<milepost-status>`. */
export const statusElementOfTests = 'customElements.define("milepost-status", class {});';

/** The HTTP API on in-memory stores. */
export class MemoryApi {
  readonly clock = new ManualClock();
  readonly instances = new InstancesInMemory(this.clock);
  readonly counters = new CountersInMemory(this.instances, this.clock);
  readonly installation = new InstallationInMemory(this.clock, this.instances.client);
  readonly models = new ModelRegistryInMemory(registryEntry('counter'));
  readonly lambda = new MemoryLambda();
  readonly observations = observationStoreInMemory();
  readonly stream = new EventStreamInMemory();
  readonly notificationStream = new EventStreamInMemory();
  readonly notifier = new NotifierInMemory();
  /** The MACs that sign the events that the API puts for operators. */
  macs: Pick<EventMacs, 'sign'> = macsOf();
  readonly deadLetters = deadLettersInMemory(this.clock);
  readonly links = customerLinksInMemory(this.clock);
  readonly errors: unknown[] = [];
  readonly observer = new Observer('counter', {
    store: this.observations,
    clock: this.clock,
    logError: (error) => this.errors.push(error),
  });
  traceparent: string | undefined;
  /** The roles of callers, unless a request sets them. If undefined, callers have full access. */
  roles: readonly Role[] | undefined;
  /** The changes that were logged. */
  readonly changes: LoggedChange[] = [];
  readonly auditor = new LocalAuditor(counter, this.instances, this.clock);
  readonly dependencies: ApiDependencies = {
    instances: this.instances.store,
    parking: this.instances.parking,
    lists: this.instances.lists(),
    counts: this.counters.counts,
    rebuildCounters: (deadline) => this.counters.rebuild(deadline),
    scanner: this.instances.scanner,
    events: this.instances.events,
    auditor: this.auditor,
    models: this.models,
    versions: this.models,
    describer: new LambdaModelInvoker(this.lambda),
    deadLetters: this.deadLetters,
    observations: this.observations,
    stream: this.stream,
    notificationStream: this.notificationStream,
    ownStream: new SignedStream(this.stream, { sign: (records) => this.macs.sign(records) }),
    clock: this.clock,
    installation: this.installation,
    changeLog: {
      callerOf: (env) => (env as { caller?: Caller } | undefined)?.caller,
      log: (change) => this.changes.push(change),
    },
    rolesOf: (env) => (env as { roles?: readonly Role[] } | undefined)?.roles ?? this.roles,
    links: this.links,
    linkKey: () => Promise.resolve(linkKey),
    corsOrigins: ['https://status.example.org'],
    logError: (error) => this.errors.push(error),
    traceparent: () => this.traceparent,
  };
  readonly app: Hono = createApi(this.dependencies);

  /** The customer status pages, on the same stores. */
  readonly trackApp: Hono = createTrackApp({
    instances: this.instances.store,
    models: this.models,
    observations: this.observations,
    links: this.links,
    linkKey: () => Promise.resolve(linkKey),
    clock: this.clock,
    statusElement: statusElementOfTests,
    logError: (error) => this.errors.push(error),
  });

  /** Applies events of the counter model, as its Lambda function would. */
  async apply(...events: PositionedEvent[]): Promise<void> {
    const { instances, stream, notifier, clock, observer } = this;
    await transition(
      { model: counter, store: instances.store, stream, notifier, clock, observer },
      events,
    );
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

/** An error response in the format of RFC 9457. */
export interface ProblemBody {
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly { readonly index: number; readonly detail: string }[];
}
