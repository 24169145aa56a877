import type { Profiler } from 'node:inspector';

/** What the host asks of a worker. */
export type Question =
  | { readonly kind: 'invoke'; readonly payload: string }
  | { readonly kind: 'use' }
  | { readonly kind: 'start-profile' }
  | { readonly kind: 'stop-profile' };

/** What it has used since it began. */
export interface Use {
  /** Milliseconds of a processor, in the program and in the system for it. */
  readonly cpu: number;
  /** Bytes in memory at most. */
  readonly memory: number;
}

/** What it answers. */
export type Reply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly payload: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'use'; readonly use: Use }
  | { readonly kind: 'profile'; readonly profile?: Profiler.Profile };
