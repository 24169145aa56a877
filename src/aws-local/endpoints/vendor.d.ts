// Declares the parts of kinesalite and dynalite that Milepost uses; the packages have no type declarations.

declare module 'kinesalite' {
  import type { Server } from 'node:http';
  export default function kinesalite(options: {
    path?: string;
    createStreamMs: number;
    deleteStreamMs: number;
    updateStreamMs: number;
    shardLimit: number;
  }): Server;
}

declare module 'kinesalite/db/index.js' {
  import type { EventEmitter } from 'node:events';
  import type { Readable } from 'node:stream';
  export interface StoredStream {
    StreamName: string;
    StreamStatus: 'CREATING' | 'ACTIVE' | 'UPDATING' | 'DELETING';
    RetentionPeriodHours: number;
    Shards: readonly object[];
    /** The next index in each group of five shards. Null or 0 before the first record. */
    _seqIx: (number | null)[];
  }
  type Done = (error?: unknown) => void;
  /** A record in the database. `Data` is Base64. */
  export interface StoredRecord {
    key: string;
    value: { PartitionKey: string; Data: string };
  }
  export interface Store {
    db: EventEmitter & { close(): Promise<void> };
    metaDb: {
      createValueStream(): AsyncIterable<StoredStream>;
      /** Returns a promise if `done` is missing. */
      put(name: string, stream: StoredStream, done?: Done): unknown;
      del(name: string, done?: Done): unknown;
    };
    getStream: (name: string, done: (error: unknown, stream?: StoredStream) => void) => void;
    getStreamDb: (name: string) => {
      createKeyStream(range: { gte: string; lt: string }): AsyncIterable<string>;
      createReadStream(options: {
        gte: string;
        lt: string;
        values?: boolean;
      }): Readable & AsyncIterable<StoredRecord>;
      batch(operations: { type: 'del'; key: string }[]): Promise<void>;
      put(key: string, value: object): Promise<void>;
    };
  }
  /** Times in milliseconds since 1970. */
  export interface Sequence {
    shardCreateTime: number;
    shardIx?: number;
    /** Null before the first record of a shard. */
    seqIx?: number | string | null;
    byte1?: string;
    seqTime?: number;
    version?: number;
  }
  export interface HashKey {
    comparedTo(other: string): number;
  }
  const db: {
    create: (options: { path: string }) => Store;
    parseSequence: (sequence: string) => Sequence;
    stringifySequence: (sequence: Sequence) => string;
    shardIxToHex: (shardIx: number) => string;
    partitionKeyToHashKey: (partitionKey: string) => HashKey;
    createShardIterator: (stream: string, shardId: string, sequenceNumber: string) => string;
    ITERATOR_PWD_KEY: Buffer;
    ITERATOR_PWD_IV: Buffer;
  };
  export default db;
}

declare module 'kinesalite/validations/index.js' {
  const validations: {
    /** Returns the known members of a request. Throws an error with a `statusCode` and a `body` for a wrong type. */
    checkTypes: (request: object, types: object) => Record<string, unknown>;
  };
  export default validations;
}

declare module 'dynalite' {
  import type { Server } from 'node:http';
  export default function dynalite(options: {
    path?: string;
    createTableMs: number;
    deleteTableMs: number;
    updateTableMs: number;
  }): Server;
}

declare module 'dynalite/db/index.js' {
  import type { Readable } from 'node:stream';
  import type { AttributeValue, StreamViewType } from '@aws-sdk/client-dynamodb';
  export type Item = Record<string, AttributeValue>;
  type Done<T = void> = (error?: unknown, value?: T) => void;
  export type Operation =
    | { type: 'put'; key: string; value: object }
    | { type: 'del'; key: string };
  /** The keys that are greater than `gt` or at least `gte`, and less than `lt`. */
  export interface KeyRange {
    gt?: string;
    gte?: string;
    lt: string;
    limit?: number;
    reverse?: boolean;
  }
  export interface Table {
    TableName: string;
    TableStatus: 'CREATING' | 'ACTIVE' | 'UPDATING' | 'DELETING';
    KeySchema: { AttributeName: string }[];
    StreamSpecification?: { StreamEnabled: boolean; StreamViewType?: StreamViewType };
    LatestStreamArn?: string;
    LatestStreamLabel?: string;
    TableArn?: string;
    AttributeDefinitions?: { AttributeName: string; AttributeType: string }[];
    BillingModeSummary?: { BillingMode: string };
    ProvisionedThroughput?: object;
    LocalSecondaryIndexes?: Index[];
    GlobalSecondaryIndexes?: GlobalIndex[];
  }
  export interface Index {
    IndexName: string;
    KeySchema: { AttributeName: string }[];
    Projection: { ProjectionType?: string };
  }
  export interface GlobalIndex extends Index {
    IndexStatus: Table['TableStatus'];
    ProvisionedThroughput?: object;
  }
  export interface Projection {
    paths: readonly (string | readonly (string | number)[])[];
    nestedPaths: Record<string, true>;
  }
  /** Calls `locked` when all keys are locked. `release` wraps a callback so that it first releases the lock. */
  export type Lock = (
    keys: string | readonly string[],
    locked: (release: (done: Done) => Done) => void,
  ) => void;
  type TableDone = (error: unknown, table: Table) => void;
  export interface Store {
    db: {
      open(): Promise<void>;
      /** Implements `open`; receives the options of the database. */
      _open: (options: object) => Promise<void>;
      close(): Promise<void>;
      batch: (operations: Operation[], done: Done) => void;
      get: (key: string, done?: Done<unknown>) => unknown;
      put: (key: string, value: Item, done?: Done) => unknown;
      getSync(key: string, options?: { valueEncoding: 'utf8' }): unknown;
      createValueStream: (options: object) => Readable;
      values(options: object): {
        nextv(size: number): Promise<unknown[]>;
        close(): Promise<void>;
      };
      iterator: (range: KeyRange) => AsyncIterable<[key: string, value: unknown]> & {
        all(): Promise<[key: string, value: unknown][]>;
      };
      clear: (range: KeyRange) => Promise<void>;
      readonly status: string;
    };
    readonly options: { readonly maxItemSize: number };
    getItemDb: (table: string) => {
      lock: Lock;
      get: (key: string, done: Done<Item>) => void;
      del: (key: string, done: Done) => void;
    };
    tableDb: {
      lock: Lock;
      createValueStream: () => AsyncIterable<Table>;
      put: (name: string, table: Table, done: Done) => void;
      del: (name: string, done: Done) => void;
    };
    /** Fails for a table that is being created or deleted, unless `checkStatus` is false. */
    getTable: (
      name: string,
      ...rest: [done: TableDone] | [checkStatus: boolean, done: TableDone]
    ) => void;
  }
  const db: {
    create: (options: { path?: string }) => Store;
    createKey(item: Item, table: Table): string;
    /** Like the following validations, returns a `ResponseError` if the value is invalid. */
    validateItem: (item: Item, table: Table) => Error | undefined;
    validateKey(key: Item, table: Table): Error | undefined;
    validateUpdates(
      attributes: Record<string, { Value?: AttributeValue }> | null,
      expression: object | null,
      table: Table,
    ): Error | undefined;
    validateKeyPaths(nestedPaths: Projection['nestedPaths'], table: Table): Error | undefined;
    validationError(
      message: string,
    ): Error & { statusCode: number; body: { __type: string; message: string } };
    checkConditional: (data: object, before: Item | undefined) => Error | null | undefined;
    compare(
      operator: string,
      value: AttributeValue | undefined,
      others: readonly AttributeValue[],
    ): boolean;
    mapPaths(paths: Projection['paths'], item: Item): Item;
    /** The size of an item in bytes. */
    itemSize(item: Item): number;
    /** The units that reading or writing an item consumes. */
    capacityUnits(item: Item | null | undefined, isRead: boolean, isConsistent: boolean): number;
    getIndexActions(
      indexes: readonly Index[],
      before: Item | null | undefined,
      after: Item | null | undefined,
      table: Table,
    ): {
      puts: { index: string; key: string; item: Item }[];
      deletes: { index: string; key: string }[];
    };
    updateIndexes(
      store: Store,
      table: Table,
      before: Item | null | undefined,
      after: Item | null | undefined,
      done: Done,
    ): void;
  };
  export default db;
}

declare module 'dynalite/db/conditionParser.js' {
  export interface ParsedCondition {
    expression: object;
    nestedPaths: object;
    pathHeads: object;
  }
  const parser: {
    /** Returns a message if the condition is invalid. @throws SyntaxError if it cannot be parsed. */
    parse: (expression: string, options: object) => ParsedCondition | string;
  };
  export default parser;
}

declare module 'dynalite/db/projectionParser.js' {
  const parser: { parse: (expression: string, options: object) => object | string };
  export default parser;
}

declare module 'dynalite/db/updateParser.js' {
  export interface ParsedUpdate {
    /** The changes. The value of a change of the type `set` is an operand until the change is applied. */
    sections: { type: string; val?: unknown }[];
  }
  const parser: { parse: (expression: string, options: object) => ParsedUpdate | string };
  export default parser;
}

declare module 'dynalite/validations/index.js' {
  import type { ParsedCondition } from 'dynalite/db/conditionParser.js';
  import type { Projection, Store } from 'dynalite/db/index.js';

  const validations: {
    checkTypes: (data: object, types: object) => object;
    checkValidations(data: object, types: object, custom: unknown, store: Store): void;
    /** Adds the parsed expressions to the request. Returns a message if an expression is invalid. */
    validateExpressions: (
      data: object & {
        _condition?: ParsedCondition;
        _filter?: ParsedCondition;
        _projection?: Projection;
      },
    ) => string | undefined;
  };
  export default validations;
}

declare module 'dynalite/validations/*.js' {
  import type { Store } from 'dynalite/db/index.js';

  const rules: {
    types: Record<string, object>;
    /** Returns a message if the request is invalid. */
    custom: (data: Record<string, unknown>, store: Store) => string | undefined;
  };
  export default rules;
}

declare module 'dynalite/actions/*.js' {
  import type { Store } from 'dynalite/db/index.js';
  export default function run(
    store: Store,
    data: object,
    done: (error: unknown, value: object) => void,
  ): void;
}
