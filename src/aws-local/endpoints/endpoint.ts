import type { ListenHost } from '../server/listen.ts';

export interface EndpointExit {
  /** True after `close()`; false if the process exited unexpectedly or was killed. */
  readonly expected: boolean;
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last 2,000 characters of the process's standard error, for the log. */
  readonly lastWords: string;
}

/** An AWS endpoint that runs on this machine in a separate process. */
export interface Endpoint {
  /** `http://127.0.0.1:<port>`, for the AWS CLI's `--endpoint-url` and the SDK's `endpoint`. */
  readonly url: string;
  /** The package that implements the endpoint, such as `kinesalite`. */
  readonly implementation: string;
  readonly pid: number | undefined;
  /** Resolves when the process has exited, for any reason. Never rejects. */
  readonly exited: Promise<EndpointExit>;
  /**
   * Registers a listener that is called when a stream may have new records. The listener receives the name of the
   * Kinesis stream and the id of the shard, or the name of the DynamoDB table.
   */
  readonly onPut: (listener: (name: string, shardId?: string) => void) => void;
  /** Stops the process and resolves when it has exited. If there is a data folder, acknowledged writes are on disk. */
  readonly close: () => Promise<void>;
}

/** The address, the data folder, and the background work of an endpoint. */
export interface EndpointOptions {
  /** @default '127.0.0.1' */
  readonly host?: ListenHost;
  /** `0` picks a free port. */
  readonly port: number;
  /**
   * The folder that keeps data between runs, created if it is missing. `null` keeps data in memory. Endpoints can share
   * the folder because each endpoint uses a different subfolder.
   */
  readonly dataFolder: string | null;
  /** The background work of the DynamoDB endpoint. Default: the lifetimes of AWS, with maintenance every 30 seconds. */
  readonly maintenance?: Maintenance;
}

/** The intervals and lifetimes of background work, in milliseconds. */
export interface Maintenance {
  /** The interval at which expired items and old records are deleted and shards are replaced. */
  readonly intervalMs?: number;
  /** How long a shard of a change stream stays open before a child shard replaces it. */
  readonly shardLifetimeMs?: number;
  /** How long records in change streams are kept. */
  readonly retentionMs?: number;
}
