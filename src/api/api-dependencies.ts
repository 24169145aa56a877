import type { Clock } from '../common/clock.ts';
import type { RebuildProgress } from '../counter/rebuild/rebuild-counters.ts';
import type { ParkingStore } from '../parking/parking-store.ts';
import type { DataKeys } from '../stores/data-keys.ts';
import type { DeadLetterStore } from '../stores/dead-letter-store.ts';
import type { InstanceStore } from '../stores/instance-store.ts';
import type { ModelRegistry } from '../stores/model-registry.ts';
import type { ObservationStore } from '../stores/observation-store.ts';
import type { EventStream } from '../stream/event-stream.ts';
import type { ChangeLog } from './access/log-changes.ts';
import type { Role } from './access/roles.ts';
import type { Installation } from './checks/installation.ts';
import type { StepDurationsCache } from './registry/step-durations-cache.ts';
import type { Counts } from './stores/counts.ts';
import type { CustomerLinks } from './stores/customer-links.ts';
import type { EventFinder } from './stores/event-finder.ts';
import type { HistoryForgetter } from './stores/history-forgetter.ts';
import type { InstanceLists } from './stores/instance-lists.ts';
import type { InstanceScanner } from './stores/instance-scanner.ts';
import type { ModelAuditor } from './stores/model-auditor.ts';
import type { ModelDescriber } from './stores/model-describer.ts';
import type { ModelVersions } from './stores/model-versions.ts';

/** The stores, streams, keys, and settings that the API uses. */
export interface ApiDependencies {
  readonly instances: InstanceStore;
  readonly lists: InstanceLists;
  readonly counts: Counts;
  /**
   * Starts or continues a rebuild of the counters. Returns when the rebuild is done or at `deadline` (milliseconds
   * since 1970), whichever comes first.
   */
  readonly rebuildCounters: (deadline: number) => Promise<RebuildProgress>;
  readonly scanner: InstanceScanner;
  readonly events: EventFinder;
  readonly models: ModelRegistry;
  readonly versions: ModelVersions;
  /**
   * Asks a version of a model to describe itself. A rollback activates a version only after the version has described
   * itself.
   */
  readonly describer: ModelDescriber;
  readonly auditor: ModelAuditor;
  readonly parking: ParkingStore;
  readonly deadLetters: DeadLetterStore;
  readonly observations: ObservationStore;
  /** The keys that seal personal data; undefined if the tracker does not have the option `personalData`. */
  readonly dataKeys?: DataKeys;
  /** Removes forgotten instances' plain-text personal data from histories; required with `dataKeys`. */
  readonly forgetter?: HistoryForgetter;
  /** The stream for unsigned records: events from producers and redriven dead letters. */
  readonly stream: EventStream;
  /** The stream for Milepost's own events, which are signed with a MAC. */
  readonly ownStream: EventStream;
  /** The stream for redriven notifications. Default: none, because notifications are off. */
  readonly notificationStream?: EventStream;
  readonly clock: Clock;
  /** The origins, other than the API's own, whose pages may call the API. */
  readonly corsOrigins: readonly string[];
  /** Returns the caller's roles from the platform's request, or undefined if the platform authorized the request. */
  readonly rolesOf: (env: unknown) => readonly Role[] | undefined;
  /** The log of requests that can make changes; undefined if the service does not authenticate callers. */
  readonly changeLog?: ChangeLog;
  /** Reads the key that signs links to customer status pages; undefined if the pages are turned off. */
  readonly linkKey: (() => Promise<string>) | undefined;
  /** The valid links to customer status pages; undefined if the pages are turned off. */
  readonly links?: CustomerLinks;
  /** The deployed parts of the service, which the checks inspect. */
  readonly installation: Installation;
  /** Logs an internal error, whose details the response omits. */
  readonly logError: (error: unknown) => void;
  /**
   * Returns the W3C `traceparent` for the events of a request. If tracing is turned off, this function is missing or
   * returns undefined.
   */
  readonly traceparent?: () => string | undefined;
}

/** The dependencies of the API, plus the caches that routes share. */
export interface RouteDependencies extends ApiDependencies {
  readonly stepDurations: StepDurationsCache;
}
