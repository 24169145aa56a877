import type { BatchHandler } from '../../lambdas/support/stream-handler.ts';
import type { CheckpointStore } from '../../src/aws-local/event-source/checkpoints.ts';
import type { EventSourceProperties } from '../../src/aws-local/event-source/settings.ts';
import type { FireTimersDependencies } from '../../src/clock/fire-timers.ts';
import type { DispatchDependencies } from '../../src/dispatcher/dispatch-dependencies.ts';
import type { InvocationTime } from '../../src/model-runtime/model-handler.ts';
import type { TailDependencies } from '../../src/model-runtime/tail.ts';
import type { PublishDependencies } from '../../src/publisher/publish-notifications.ts';
import type { ModelRegistry } from '../../src/stores/model-registry.ts';
import type { Sending } from '../support/aws-in-memory/dynamodb-of.ts';
import type { Scenario } from './scenario.ts';

/** Deliberate faults: wrappers between the parts of the system that do something wrong. */
export interface Sabotage {
  /** Only instances with thousands of events reveal it: each run has one. */
  readonly flood?: true;
  /** Only giant ids and permanent rejections reveal it: each run has both. */
  readonly limits?: true;
  /** Only forged events reveal it: each run has some. */
  readonly forgeries?: true;
  /** Only queues of parked events reveal it: each run has one of about this length. */
  readonly longQueue?: number;
  /** Only these settings and function timeouts reveal it. */
  readonly scenario?: Partial<
    Pick<Scenario, 'nuisance' | 'bulky' | 'modelTimeout' | 'sealed' | 'seenLimits'>
  > & {
    readonly outages?: true;
    readonly hollow?: true;
  };
  /** Between the publisher and its collaborators. */
  readonly publisher?: (dependencies: PublishDependencies) => Partial<PublishDependencies>;
  /** Between the event source of notifications and the publisher. */
  readonly publishing?: (publish: BatchHandler) => BatchHandler;
  /** Between each process and DynamoDB. */
  readonly client?: (client: Sending) => Sending;
  /** Between a model's function and its store, the stream and the bus. */
  readonly model?: (environment: TailDependencies) => Partial<TailDependencies>;
  /** Between a model's function and its time limits. */
  readonly modelTime?: (time: InvocationTime) => InvocationTime;
  /** Between the clock and its collaborators. */
  readonly clock?: (environment: FireTimersDependencies) => FireTimersDependencies;
  /** Between the dispatcher and its collaborators. */
  readonly dispatcher?: (environment: DispatchDependencies) => DispatchDependencies;
  /** Between the event source and the dispatcher. */
  readonly dispatch?: (dispatch: BatchHandler) => BatchHandler;
  /** Between a dispatcher and the registry. */
  readonly registry?: (registry: ModelRegistry) => ModelRegistry;
  /** In place of the event source's own properties. */
  readonly mapping?: Partial<EventSourceProperties>;
  /** Between the event source and its checkpoints. */
  readonly checkpoints?: (store: CheckpointStore) => CheckpointStore;
}

/**
 * A description of each fault, a finding that reveals it and, for a rare one, a seed at which it is known to
 * show, to start from.
 */
export type Faults = Readonly<
  Record<string, readonly [sabotage: Sabotage, finding: RegExp, first?: number]>
>;
