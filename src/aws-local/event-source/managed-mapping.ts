import { systemClock } from '../../common/clock.ts';
import { EventSourceMapping } from './event-source-mapping.ts';
import type { MappingIdentity } from './mapping-identity.ts';
import type { EventSourceOptions, InvocationResult } from './options.ts';
import type { EventSourceProperties } from './settings.ts';
import type { StalledShard } from './stalls.ts';

/** The state of an event source mapping, as AWS reports it. */
export type MappingState = 'Enabling' | 'Enabled' | 'Disabling' | 'Disabled';

const succeeded = 'OK';
const failed = 'PROBLEM: Function call failed';

/**
 * An event source mapping that can be enabled and disabled while the service runs. The mapping is disabled until
 * `enable` is called, whatever the template specifies. Disabling the mapping stops reading. Enabling it resumes reading
 * at the checkpoints, so no record is skipped.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_UpdateEventSourceMapping.html
 */
export class ManagedMapping {
  readonly #options: EventSourceOptions;
  #mapping: EventSourceMapping | undefined;
  #state: MappingState = 'Disabled';
  #lastModified: number;
  #lastProcessingResult = 'No records processed';

  constructor(options: EventSourceOptions) {
    this.#options = {
      ...options,
      invoke: async (payload, signal) => {
        let result: InvocationResult | undefined;
        try {
          result = await options.invoke(payload, signal);
          return result;
        } finally {
          this.#lastProcessingResult = result?.kind === 'ok' ? succeeded : failed;
        }
      },
    };
    this.#lastModified = this.#now();
  }

  get identity(): MappingIdentity {
    return this.#options.mapping;
  }

  get properties(): EventSourceProperties {
    return this.#options.properties;
  }

  get state(): MappingState {
    return this.#state;
  }

  /** The time of the latest change to the mapping, in milliseconds since 1970. */
  get lastModified(): number {
    return this.#lastModified;
  }

  /** The result of the latest invocation, with the same text as in AWS. */
  get lastProcessingResult(): string {
    return this.#lastProcessingResult;
  }

  /** True while the mapping is being enabled or disabled, and therefore accepts no other change. */
  get isChanging(): boolean {
    return this.#state === 'Enabling' || this.#state === 'Disabling';
  }

  /**
   * Starts reading at the checkpoints. If the properties are invalid or the checkpoints cannot be read, throws an
   * error, and the mapping stays disabled.
   */
  async enable(): Promise<void> {
    if (this.#state !== 'Disabled') return;
    this.#enter('Enabling');
    try {
      this.#mapping = new EventSourceMapping(this.#options);
      await this.#mapping.start();
      this.#enter('Enabled');
    } catch (error) {
      this.#enter('Disabled');
      throw error;
    }
  }

  /** Stops reading, waits for invocations in flight, and saves the checkpoints. */
  async disable(): Promise<void> {
    if (this.#state !== 'Enabled') return;
    this.#enter('Disabling');
    await this.stop();
    this.#enter('Disabled');
  }

  /** Stops reading because the service stops. The state does not change. */
  async stop(): Promise<void> {
    await this.#mapping?.stop();
  }

  /** Reads a shard, or all shards, immediately instead of at the next poll because records have been put on it. */
  readNow(shardId?: string): void {
    this.#mapping?.readNow(shardId);
  }

  /** Returns the shards that have work but make no progress, or an empty list while the mapping is not enabled. */
  stalledShards(): readonly StalledShard[] {
    return this.#state === 'Enabled' ? (this.#mapping?.stalledShards() ?? []) : [];
  }

  #enter(state: MappingState): void {
    this.#state = state;
    this.#lastModified = this.#now();
  }

  #now(): number {
    return (this.#options.clock ?? systemClock).now();
  }
}
