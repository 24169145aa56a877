import type { Head } from '../../core/history/commit.ts';
import type { Model } from '../../core/model/model.ts';
import type { FoldResult } from '../fold-batch.ts';
import type { PositionedEvent } from '../protocol.ts';

/** The next events of an instance, and the head that they are folded onto. */
export interface InstanceBatch {
  readonly head: Head | undefined;
  readonly events: readonly PositionedEvent[];
}

/**
 * The result of folding a batch: the results of its first events, with the model that folded them; the error, if the
 * model failed on the first event; or the reason that the batch cannot be folded now. If all events belong to stale
 * timers, the result contains no model.
 */
export type InstanceBatchResult =
  | { readonly model: Model; readonly results: readonly FoldResult[] }
  | { readonly model?: undefined; readonly results: readonly 'stale-timer'[] }
  | { readonly fault: unknown }
  | { readonly unavailable: string };
