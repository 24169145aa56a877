import type { ListenHost } from '../server/listen.ts';

/** The exit of an endpoint's process. */
export interface EndpointExit {
  /** True after `close()`; false if the process exited unexpectedly or was killed. */
  readonly expected: boolean;
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last part of the process's standard error, for the log. */
  readonly lastWords: string;
}

/** An AWS endpoint on this machine that runs in its own process. */
export interface Endpoint {
  /** `http://127.0.0.1:<port>`, for the AWS CLI's `--endpoint-url` and the SDK's `endpoint`. */
  readonly url: string;
  /** The program that implements the endpoint, such as `kinesalite`. */
  readonly implementation: string;
  /** The process id of the endpoint. */
  readonly pid: number | undefined;
  /** Resolves when the process has exited, for any reason. Never rejects. */
  readonly exited: Promise<EndpointExit>;
  /**
   * Registers a listener that is called when a stream may have new records, with the name of the Kinesis stream and the id
   * of the shard, or with the name of the DynamoDB table.
   */
  readonly onPut: (listener: (name: string, shardId?: string) => void) => void;
  /** Stops the process and resolves when it has exited. Acknowledged writes are on disk. */
  readonly close: () => Promise<void>;
}

/** The address and the data folder of an endpoint. */
export interface EndpointOptions {
  /** @default '127.0.0.1' */
  readonly host?: ListenHost;
  /** `0` picks a free port. */
  readonly port: number;
  /**
   * The folder that keeps data between runs. It is created if it is missing; `null` keeps data in memory. Endpoints can
   * share the folder because each uses its own subfolder.
   */
  readonly dataFolder: string | null;
  /** The times of the DynamoDB endpoint. Default: those of AWS, with maintenance every 30 seconds. */
  readonly maintenance?: Maintenance;
}

/** The times of background work, in milliseconds. */
export interface Maintenance {
  /** The interval of maintenance: expired items and old records are deleted, and shards replaced. */
  readonly intervalMs?: number;
  /** The time after which a shard of a change stream is closed and replaced by a child shard. */
  readonly shardLifetimeMs?: number;
  /** The time for which change streams keep records. */
  readonly retentionMs?: number;
}
