import type { BatchHandler } from '../../lambdas/support/stream-handler.ts';
import type { DynamoDb } from '../../src/aws/client/dynamodb.ts';
import type { CheckpointStore } from '../../src/aws-local/event-source/checkpoints.ts';
import type { EventSourceProperties } from '../../src/aws-local/event-source/settings.ts';
import type { FireTimersDependencies } from '../../src/clock/fire-timers.ts';
import type { Clock } from '../../src/common/clock.ts';
import type { CounterDependencies } from '../../src/counter/count-changes.ts';
import type { RebuildCountersDependencies } from '../../src/counter/rebuild/rebuild-counters.ts';
import type { RowChange } from '../../src/counter/row-change.ts';
import type { DispatchDependencies } from '../../src/dispatcher/dispatch-dependencies.ts';
import type { InvocationTime } from '../../src/model-runtime/model-handler.ts';
import type { HistoryRewriter } from '../../src/model-runtime/sealing/history-rewriter.ts';
import type { TailDependencies } from '../../src/model-runtime/tail.ts';
import type { PublishDependencies } from '../../src/publisher/publish-notifications.ts';
import type { RegistrationResult, RegistryWriter } from '../../src/registrar/register-model.ts';
import type { DataKeys } from '../../src/stores/data-keys.ts';
import type { ModelRegistry } from '../../src/stores/model-registry.ts';
import type { Sending } from '../support/aws-in-memory/dynamodb-of.ts';
import type { Outage } from './outages.ts';
import type { Scenario } from './scenario.ts';
import type { Weather } from './weather.ts';

/** A deliberate fault: faulty wrappers around parts of the system, and settings of the run that reveal the fault. */
export interface Sabotage {
  /** Set if only instances with thousands of events reveal the fault. Each run then has one. */
  readonly flood?: true;
  /** Set if only giant ids and permanent rejections reveal the fault. Each run then has both. */
  readonly limits?: true;
  /** Set if only deadlines reveal the fault. The instances of each run then have deadlines. */
  readonly deadlines?: true;
  /** Set if only forged events reveal the fault. Each run then has some forged events. */
  readonly forgeries?: true;
  /** Set if only long queues of parked events reveal the fault. Each run then has a queue of about this length. */
  readonly longQueue?: number;
  /** Set if only a scenario with these settings and function timeouts reveals the fault. */
  readonly scenario?: Partial<
    Pick<
      Scenario,
      | 'nuisance'
      | 'bulky'
      | 'modelTimeout'
      | 'sealed'
      | 'erasing'
      | 'seenLimits'
      | 'queue'
      | 'replicaLagMs'
      | 'backlogMs'
    >
  > & {
    /** The `service` or `kind` that every outage has. */
    readonly outages?: Partial<Pick<Outage, 'service' | 'kind'>>;
  };
  /**
   * Set if only busy counters reveal the fault. Each run then has many simultaneous changes, redeliveries, and rebuilds
   * of counters.
   */
  readonly busyCounters?: true;
  /** Set if only these probabilities of failures reveal the fault often enough. The other probabilities are drawn. */
  readonly weather?: Partial<Weather>;
  /** Wraps the dependencies of the publisher. */
  readonly publisher?: (dependencies: PublishDependencies) => Partial<PublishDependencies>;
  /** Wraps the publisher for the event source of notifications. */
  readonly publishing?: (publish: BatchHandler) => BatchHandler;
  /** Wraps the DynamoDB client of the counter function. */
  readonly counters?: (client: DynamoDb) => DynamoDb;
  /** Replaces some dependencies of the counter function. */
  readonly counting?: (dependencies: CounterDependencies) => Partial<CounterDependencies>;
  /** Alters the row changes that the counter function receives. */
  readonly rows?: (changes: readonly RowChange[]) => readonly RowChange[];
  /** Replaces some dependencies of rebuilds of the counters. */
  readonly rebuild?: (
    dependencies: RebuildCountersDependencies,
  ) => Partial<RebuildCountersDependencies>;
  /** Wraps the data keys of each process. */
  readonly dataKeys?: (keys: DataKeys) => DataKeys;
  /** Wraps the DynamoDB client of each process. */
  readonly client?: (client: Sending) => Sending;
  /** Replaces the rewriter of histories, which erases personal data, in each model's function. */
  readonly history?: (rewriter: HistoryRewriter) => Partial<HistoryRewriter>;
  /** Replaces some dependencies of a model's function, such as the store and the stream. */
  readonly model?: (environment: TailDependencies) => Partial<TailDependencies>;
  /** Changes the time limits of a model's function. */
  readonly modelTime?: (time: InvocationTime) => InvocationTime;
  /** Wraps the dependencies of the clock. */
  readonly clock?: (environment: FireTimersDependencies) => FireTimersDependencies;
  /** Wraps the dependencies of the function that the queue's messages invoke. */
  readonly wakeup?: (environment: FireTimersDependencies) => FireTimersDependencies;
  /** Wraps the dependencies of the dispatcher. */
  readonly dispatcher?: (environment: DispatchDependencies) => DispatchDependencies;
  /** Wraps the dispatcher for the event source. */
  readonly dispatch?: (dispatch: BatchHandler) => BatchHandler;
  /** Wraps the registry for a dispatcher. */
  readonly registry?: (registry: ModelRegistry) => ModelRegistry;
  /**
   * Set if only a growing number of index partitions reveals the fault. Wraps the DynamoDB clients of the process that
   * raises the number, and of the readers of lists.
   */
  readonly growing?: {
    readonly writer?: (client: DynamoDb) => DynamoDb;
    readonly reader?: (client: DynamoDb, clock: Clock) => DynamoDb;
  };
  /**
   * Set if only deployments reveal the fault. Replaces methods of the registrar's registry, and the result of a
   * registration before the registrar deletes old versions.
   */
  readonly deployments?: {
    readonly registry?: (writer: RegistryWriter) => Partial<RegistryWriter>;
    readonly retiring?: (registered: RegistrationResult) => RegistrationResult;
  };
  /** Replaces properties of the event source. */
  readonly mapping?: Partial<EventSourceProperties>;
  /** Wraps the checkpoints of the event source. */
  readonly checkpoints?: (store: CheckpointStore) => CheckpointStore;
}

/** Returns true if a run has no deliberate fault. */
export const hasNoFault = (sabotage: Sabotage) => Object.keys(sabotage).length === 0;

/** Faults by their descriptions, each with a finding that reveals it. */
export type Faults = Readonly<Record<string, readonly [sabotage: Sabotage, finding: RegExp]>>;
