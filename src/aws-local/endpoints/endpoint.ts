import type { ListenHost } from '../server/listen.ts';

/** How an endpoint's process ended. */
export interface EndpointExit {
  /** True after `close()`; false when the process ended by itself or was killed. */
  readonly expected: boolean;
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The end of what the process wrote to its standard error, for the log. */
  readonly lastWords: string;
}

/** An AWS endpoint that answers on this machine, from a process of its own. */
export interface Endpoint {
  /** `http://127.0.0.1:<port>`, for `--endpoint-url` and the SDK's `endpoint`. */
  readonly url: string;
  /** Which program answers, e.g. `kinesalite`. */
  readonly implementation: string;
  /** The process that answers. */
  readonly pid: number | undefined;
  /** Resolves once the process is gone, for whatever reason. Never rejects. */
  readonly exited: Promise<EndpointExit>;
  /** Has this called whenever something may have been put on a stream. DynamoDB has none. */
  readonly onPut: (listener: () => void) => void;
  /** Stops the process. Resolves when it is gone; what was acknowledged is kept on disk. */
  readonly close: () => Promise<void>;
}

/** Where an endpoint listens and keeps its data. */
export interface EndpointOptions {
  /** @default '127.0.0.1' */
  readonly host?: ListenHost;
  /** `0` picks a free one. */
  readonly port: number;
  /**
   * The folder for what is kept between runs, created when missing; `null` keeps everything in
   * memory. Endpoints may share it: each has its own place in it.
   */
  readonly dataFolder: string | null;
}
