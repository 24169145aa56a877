import type { Hono } from 'hono';
import { activation } from '../../models/activation/model.ts';
import { serviceRequest } from '../../models/service-request/model.ts';
import { createApi } from '../../src/api/app.ts';
import { userRecords } from '../../src/aws/stream/user-records.ts';
import type { Model } from '../../src/core/model/model.ts';
import { dispatch } from '../../src/dispatcher/dispatch.ts';
import { type DispatchDependencies } from '../../src/dispatcher/dispatch-dependencies.ts';
import type { ModelInvoker, TransitionInvocation } from '../../src/dispatcher/model-invoker.ts';
import { RegistryCache } from '../../src/dispatcher/registry-cache.ts';
import type { RebuildRequest, TransitionRequest } from '../../src/model-runtime/protocol.ts';
import type { BlockedEvent } from '../../src/parking/blocked-event.ts';
import type { BatchItemFailure } from '../../src/stream/batch-item-failure.ts';
import type { StreamRecord } from '../../src/stream/stream-record.ts';
import { macsOf } from '../support/event-macs.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { MemoryDescriber } from '../support/memory-describer.ts';
import { MemoryEventStream } from '../support/memory-event-stream.ts';
import { MemoryInstanceLists } from '../support/memory-instance-lists.ts';
import { MemoryInstanceStore } from '../support/memory-instance-store.ts';
import { MemoryInstanceWalk } from '../support/memory-instance-walk.ts';
import { ModelLambdas } from '../support/model-lambdas.ts';
import { ModelRegistryInMemory } from '../support/model-registry-in-memory.ts';
import { registryEntry } from '../support/registry-entry.ts';
import { deadLettersInMemory, observationStoreInMemory } from '../support/stores-in-memory.ts';

/** The shipped models, by id. */
export const models: ReadonlyMap<string, Model> = new Map(
  [activation, serviceRequest].map((model) => [model.id, model as unknown as Model]),
);

const entries = [...models.values()].map((model) =>
  registryEntry(model.id, {
    statuses: [...model.statuses],
    milestones: [...model.milestones],
    eventTypes: Object.keys(model.events),
  }),
);

/** The service from the stream to histories and dead letters, in memory. */
export class World {
  readonly store = new MemoryInstanceStore();
  readonly #clock = new ManualClock();
  readonly deadLetters = deadLettersInMemory(this.#clock);
  /** The delivered records in order, including redelivered ones. */
  readonly delivered: StreamRecord[] = [];
  readonly parked: BlockedEvent[] = [];
  readonly failures: BatchItemFailure[] = [];
  readonly errors: unknown[] = [];
  readonly app: Hono;
  readonly #environment: DispatchDependencies;
  #records = 0;

  constructor() {
    const { store, deadLetters } = this;
    const clock = this.#clock;
    const registry = new ModelRegistryInMemory(...entries);
    this.#environment = {
      deaggregate: userRecords,
      registry: new RegistryCache(registry, clock),
      parking: store,
      deadLetters,
      models: new Lambdas(store, clock),
      stream: new MemoryEventStream(),
      // Models are pure: a failure repeats itself.
      retry: { attempts: 1, backoff: 1 },
      clock,
      macs: macsOf(),
      log: {
        deadLetters: () => undefined,
        parked: (parked) => this.parked.push(...parked),
        failures: (failures) => this.failures.push(...failures),
      },
    };
    this.app = createApi({
      instances: store,
      parking: store,
      lists: new MemoryInstanceLists(store),
      scanner: new MemoryInstanceWalk(store),
      auditor: { audit: () => Promise.reject(new Error('not here')) },
      models: registry,
      versions: registry,
      describer: new MemoryDescriber(),
      deadLetters,
      observations: observationStoreInMemory(),
      stream: new MemoryEventStream(),
      ownStream: new MemoryEventStream(),
      clock,
      corsOrigins: [],
      rolesOf: () => undefined,
      linkKey: () => Promise.resolve('key'),
      logError: (error) => this.errors.push(error),
    });
  }

  /** The next record of the stream. */
  record(data: Uint8Array | string): StreamRecord {
    const shard = 'shardId-000000000000';
    const sequence = String(495n * 10n ** 53n + BigInt(this.#records++));
    return {
      recordId: `${shard}:${sequence}`,
      position: { shard, sequence },
      partitionKey: 'key',
      arrivedAt: Date.UTC(2026, 0, 1) + this.#records,
      data: Buffer.from(data),
    };
  }

  /** Dispatches records, and stores those that are handed back. */
  async deliver(records: readonly StreamRecord[]): Promise<void> {
    this.delivered.push(...records);
    const back = await dispatch(this.#environment, records);
    if (back.length !== 0 || this.failures.length !== 0)
      throw new Error(`handed back: ${JSON.stringify(this.failures.map(({ reason }) => reason))}`);
  }
}

/** Each model's Lambda, with JSON as its input and output. */
class Lambdas implements ModelInvoker {
  readonly #lambdas: ReadonlyMap<string, ModelLambdas>;

  constructor(store: MemoryInstanceStore, clock: ManualClock) {
    this.#lambdas = new Map(
      entries.map(({ id, functionArn }) => [
        functionArn,
        new ModelLambdas(models.get(id)!, store, clock),
      ]),
    );
  }

  async transition(
    functionArn: string,
    request: TransitionRequest | RebuildRequest,
  ): Promise<TransitionInvocation> {
    const sent = JSON.parse(JSON.stringify(request)) as typeof request;
    const invocation = await this.#lambdas.get(functionArn)!.transition(functionArn, sent);
    return JSON.parse(JSON.stringify(invocation)) as TransitionInvocation;
  }
}
