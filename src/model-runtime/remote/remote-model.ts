import type { Head } from '../../core/history/commit.ts';
import type { Model } from '../../core/model/model.ts';
import type { Sensitive } from '../../core/personal-data/sensitive.ts';
import type { FoldResult } from '../fold-batch.ts';
import type { PositionedEvent } from '../protocol.ts';

/** The next events of an instance, and the instance before them. */
export interface InstanceBatch {
  readonly head: Head | undefined;
  readonly events: readonly PositionedEvent[];
}

/**
 * The results of folding the first events of a batch, with the model that folded them; or the error of the very first
 * event; or the reason why the batch cannot be folded now. Stale timers alone need no model.
 */
export type InstanceBatchResult =
  | { readonly model: Model; readonly results: readonly FoldResult[] }
  | { readonly model?: undefined; readonly results: readonly 'stale-timer'[] }
  | { readonly fault: unknown }
  | { readonly unavailable: string };

/** A model whose code runs in another function. */
export interface RemoteModel {
  readonly id: string;
  /** The sensitive fields according to the latest fold. */
  readonly sensitive?: Sensitive;
  /** Gets the model's description. */
  describe(): Promise<Model>;
  /** Folds the next events of many instances. */
  fold(batches: readonly InstanceBatch[]): Promise<InstanceBatchResult[]>;
}

/** True if a model is remote. */
export const isRemote = (model: Model | RemoteModel): model is RemoteModel => 'fold' in model;
