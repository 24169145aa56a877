// Declares the parts of the packages in bench/package.json that the benchmarks use so that the project's type check
// does not require the packages.

declare module 'redis' {
  interface Transaction {
    hSet(key: string, fields: Record<string, string>): Transaction;
    hDel(key: string, fields: readonly string[]): Transaction;
    exec(): Promise<unknown>;
  }
  interface Client {
    connect(): Promise<Client>;
    watch(key: string): Promise<unknown>;
    hGetAll(key: string): Promise<Record<string, string>>;
    multi(): Transaction;
    close(): Promise<void>;
  }
  export function createClient(options: { url: string }): Client;
  export class WatchError extends Error {}
}

declare module '@castore/core' {
  interface EventDetail<Payload> {
    aggregateId: string;
    version: number;
    type: string;
    timestamp: string;
    payload: Payload;
  }
  export class EventStore<Aggregate, Payload> {
    constructor(options: {
      eventStoreId: string;
      eventTypes: readonly [];
      reducer: (before: Aggregate | undefined, event: EventDetail<Payload>) => Aggregate;
      eventStorageAdapter: object;
    });
    getAggregate(aggregateId: string): Promise<{ aggregate: Aggregate | undefined }>;
    pushEvent(
      event: EventDetail<Payload>,
      options: { prevAggregate: Aggregate | undefined },
    ): Promise<object>;
  }
}

declare module '@castore/event-storage-adapter-dynamodb' {
  export const DynamoDBSingleTableEventStorageAdapter: new (options: {
    tableName: string;
    dynamoDBClient: object;
  }) => object;
}

declare module 'pg' {
  class Pool {
    constructor(options: { connectionString: string; max: number });
    end(): Promise<void>;
  }
  const pg: { Pool: typeof Pool };
  export default pg;
}

declare module '@event-driven-io/emmett' {
  interface Recorded<Data> {
    type: string;
    data: Data;
  }
  export interface Fold<State, Data> {
    evolve: (state: State, event: Recorded<Data>) => State;
    initialState: () => State;
  }
  export function CommandHandler<State, Data>(
    options: Fold<State, Data>,
  ): (store: object, stream: string, handle: (state: State) => Recorded<Data>) => Promise<object>;
}

declare module '@event-driven-io/emmett-postgresql' {
  import type { Fold } from '@event-driven-io/emmett';
  export function getPostgreSQLEventStore(
    connectionString: string,
    options: { connectionOptions: { pool: object } },
  ): {
    schema: { migrate(): Promise<object> };
    aggregateStream<State, Data>(
      stream: string,
      options: Fold<State, Data>,
    ): Promise<{ state: State }>;
    close(): Promise<void>;
  };
}

declare module '@restatedev/restate-sdk' {
  import type { IncomingMessage, ServerResponse } from 'node:http';
  import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';

  interface SharedContext {
    get<Value>(key: string): Promise<Value | null>;
  }
  interface Context extends SharedContext {
    set(key: string, value: unknown): void;
  }
  type Shared = (context: SharedContext) => Promise<unknown>;
  type Handler = (context: Context, input: never) => Promise<void>;
  export const handlers: { object: { shared(handler: Shared): Shared } };
  export function object<Handlers extends Record<string, Handler | Shared>>(definition: {
    name: string;
    handlers: Handlers;
  }): object;
  export function createEndpointHandler(options: {
    services: readonly object[];
  }): (
    request: IncomingMessage | Http2ServerRequest,
    response: ServerResponse | Http2ServerResponse,
  ) => void;
}
