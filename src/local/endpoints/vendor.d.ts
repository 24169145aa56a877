// The parts of two packages without type declarations that this folder uses.

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
  export interface StoredStream {
    StreamName: string;
    StreamStatus: 'CREATING' | 'ACTIVE' | 'UPDATING' | 'DELETING';
  }
  interface Store {
    db: { open(): Promise<void>; close(): Promise<void> };
    metaDb: {
      createValueStream(): AsyncIterable<StoredStream>;
      put(name: string, stream: StoredStream): Promise<void>;
      del(name: string): Promise<void>;
    };
  }
  const db: { create(options: { path: string }): Store };
  export default db;
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
  const db: {
    create(options: { path: string }): { db: { open(): Promise<void>; close(): Promise<void> } };
  };
  export default db;
}
