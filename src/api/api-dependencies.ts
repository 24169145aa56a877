import type { Clock } from '../common/clock.ts';
import type { ParkingStore } from '../parking/parking-store.ts';
import type { DataKeys } from '../stores/data-keys.ts';
import type { DeadLetterStore } from '../stores/dead-letter-store.ts';
import type { InstanceStore } from '../stores/instance-store.ts';
import type { ModelRegistry } from '../stores/model-registry.ts';
import type { ObservationStore } from '../stores/observation-store.ts';
import type { EventStream } from '../stream/event-stream.ts';
import type { Role } from './access/roles.ts';
import type { StepDurationsCache } from './registry/step-durations-cache.ts';
import type { CustomerLinks } from './stores/customer-links.ts';
import type { HistoryForgetter } from './stores/history-forgetter.ts';
import type { InstanceLists } from './stores/instance-lists.ts';
import type { InstanceScanner } from './stores/instance-scanner.ts';
import type { ModelAuditor } from './stores/model-auditor.ts';
import type { ModelDescriber } from './stores/model-describer.ts';
import type { ModelVersions } from './stores/model-versions.ts';

/** The stores that the API reads and writes. */
export interface ApiDependencies {
  readonly instances: InstanceStore;
  readonly lists: InstanceLists;
  readonly scanner: InstanceScanner;
  readonly models: ModelRegistry;
  readonly versions: ModelVersions;
  /** Asks a version of a model what it is, before it runs again. */
  readonly describer: ModelDescriber;
  readonly auditor: ModelAuditor;
  readonly parking: ParkingStore;
  readonly deadLetters: DeadLetterStore;
  readonly observations: ObservationStore;
  /** The keys that seal personal data; none if models may have no sensitive fields. */
  readonly dataKeys?: DataKeys;
  /** Takes forgotten data out of histories; needed where there are `dataKeys`. */
  readonly forgetter?: HistoryForgetter;
  /** The stream, for records as they are: producers' events, and dead letters that are put again. */
  readonly stream: EventStream;
  /** The stream, for Milepost's own events, which get a MAC. */
  readonly ownStream: EventStream;
  /** The stream of notifications, for dead letters that are put there again. Default: none are published. */
  readonly notificationStream?: EventStream;
  readonly clock: Clock;
  /** The origins whose pages may use the API, besides its own. */
  readonly corsOrigins: readonly string[];
  /**
   * The roles of the caller, from the request as the platform passes it; undefined where the platform has
   * decided already who may do what.
   */
  readonly rolesOf: (env: unknown) => readonly Role[] | undefined;
  /** What links to customers' status pages are signed with; undefined where there are no such pages. */
  readonly linkKey: (() => Promise<string>) | undefined;
  /** The links to those pages that are good; none where there are no such pages. */
  readonly links?: CustomerLinks;
  /** Told of what went wrong on our side. */
  readonly logError: (error: unknown) => void;
  /** The trace that events of this request belong to; undefined, or gives undefined, without one. */
  readonly traceparent?: () => string | undefined;
}

/** The collaborators of the routes: those of the API, and what the routes share. */
export interface RouteDependencies extends ApiDependencies {
  readonly stepDurations: StepDurationsCache;
}
