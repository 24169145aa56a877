import type { Hono } from 'hono';
import { activation } from '../../models/activation/model.ts';
import { serviceRequest } from '../../models/service-request/model.ts';
import { createApi } from '../../src/api/app.ts';
import { LambdaModelInvoker } from '../../src/aws/functions/lambda-model-invoker.ts';
import { userRecords } from '../../src/aws/stream/user-records.ts';
import type { Model } from '../../src/core/model/model.ts';
import { dispatch } from '../../src/dispatcher/dispatch.ts';
import type { DispatchDependencies } from '../../src/dispatcher/dispatch-dependencies.ts';
import { FailureTracker } from '../../src/dispatcher/failures/failure-tracker.ts';
import type { ModelInvoker, TransitionInvocation } from '../../src/dispatcher/model-invoker.ts';
import { RegistryCache } from '../../src/dispatcher/registry-cache.ts';
import type { RebuildRequest, TransitionRequest } from '../../src/model-runtime/protocol.ts';
import type { BlockedEvent } from '../../src/parking/blocked-event.ts';
import type { BatchItemFailure } from '../../src/stream/batch-item-failure.ts';
import type { StreamRecord } from '../../src/stream/stream-record.ts';
import { countersWithoutRebuild } from '../support/aws-in-memory/counters-in-memory.ts';
import { EventStreamInMemory } from '../support/aws-in-memory/event-stream-in-memory.ts';
import { InstallationInMemory } from '../support/aws-in-memory/installation-in-memory.ts';
import { InstancesInMemory } from '../support/aws-in-memory/instances-in-memory.ts';
import { MemoryLambda } from '../support/aws-in-memory/memory-lambda.ts';
import { ModelRegistryInMemory } from '../support/aws-in-memory/model-registry-in-memory.ts';
import {
  deadLettersInMemory,
  observationStoreInMemory,
} from '../support/aws-in-memory/stores-in-memory.ts';
import { macsOf } from '../support/data/event-macs.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { ModelLambdas } from '../support/models/model-lambdas.ts';
import { registryEntry } from '../support/models/registry-entry.ts';

/** The models that the tests send events to, by id: two of the shipped models. */
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

/** The part of the service from the stream to histories and dead letters, running in memory. */
export class World {
  readonly #clock = new ManualClock();
  readonly instances = new InstancesInMemory(this.#clock);
  readonly deadLetters = deadLettersInMemory(this.#clock);
  /** The delivered records in order, including redelivered records. */
  readonly delivered: StreamRecord[] = [];
  readonly parked: BlockedEvent[] = [];
  readonly failures: BatchItemFailure[] = [];
  readonly errors: unknown[] = [];
  readonly app: Hono;
  readonly #environment: DispatchDependencies;
  #records = 0;

  constructor() {
    const { instances, deadLetters } = this;
    const clock = this.#clock;
    const registry = new ModelRegistryInMemory(...entries);
    this.#environment = {
      deaggregate: userRecords,
      registry: new RegistryCache(registry, clock),
      parking: instances.parking,
      deadLetters,
      models: new Lambdas(instances, clock),
      stream: new EventStreamInMemory(),
      // Try once, because models are pure: a failed attempt would fail again.
      retry: { attempts: 1, backoff: 1 },
      failureTracker: new FailureTracker(),
      clock,
      macs: macsOf(),
      log: {
        deadLetters: () => undefined,
        parked: (parked) => this.parked.push(...parked),
        failures: (failures) => this.failures.push(...failures),
      },
    };
    this.app = createApi({
      instances: instances.store,
      parking: instances.parking,
      lists: instances.lists(),
      ...countersWithoutRebuild(instances, clock),
      scanner: instances.scanner,
      events: instances.events,
      auditor: {
        audit: () => Promise.reject(new Error('not here')),
        foldUntil: () => Promise.reject(new Error('not here')),
        deadlines: () => Promise.reject(new Error('not here')),
      },
      models: registry,
      versions: registry,
      describer: new LambdaModelInvoker(new MemoryLambda()),
      deadLetters,
      observations: observationStoreInMemory(),
      stream: new EventStreamInMemory(),
      ownStream: new EventStreamInMemory(),
      clock,
      installation: new InstallationInMemory(clock, instances.client),
      corsOrigins: [],
      rolesOf: () => undefined,
      linkKey: () => Promise.resolve('key'),
      logError: (error) => this.errors.push(error),
    });
  }

  /** Creates the next record of the stream. */
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

  /** Dispatches records. Throws an error if the dispatcher returns a record to the stream. */
  async deliver(records: readonly StreamRecord[]): Promise<void> {
    this.delivered.push(...records);
    const back = await dispatch(this.#environment, records);
    if (back.length !== 0 || this.failures.length !== 0)
      throw new Error(
        `returned to the stream: ${JSON.stringify(this.failures.map(({ reason }) => reason))}`,
      );
  }
}

/** Invokes models as Lambda does: requests and responses are serialized as JSON. */
class Lambdas implements ModelInvoker {
  readonly #lambdas: ReadonlyMap<string, ModelLambdas>;

  constructor(instances: InstancesInMemory, clock: ManualClock) {
    this.#lambdas = new Map(
      entries.map(({ id, functionArn }) => [
        functionArn,
        new ModelLambdas(models.get(id)!, instances, clock),
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
