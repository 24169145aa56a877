import type { Profiler } from 'node:inspector';

/** A request from the host to a worker. */
export type Question =
  | { readonly kind: 'invoke'; readonly payload: string }
  | { readonly kind: 'use' }
  | { readonly kind: 'start-profile' }
  | { readonly kind: 'stop-profile' };

/** The resources that the worker has used since its start. */
export interface Use {
  /** User and system CPU time in milliseconds. */
  readonly cpu: number;
  /** The peak memory in bytes. */
  readonly memory: number;
}

export type Reply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly payload: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'use'; readonly use: Use }
  | { readonly kind: 'profile'; readonly profile?: Profiler.Profile };
