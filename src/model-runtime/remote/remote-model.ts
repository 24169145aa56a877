import type { Head } from '../../core/history/commit.ts';
import type { Model } from '../../core/model/model.ts';
import type { Sensitive } from '../../core/personal-data/sensitive.ts';
import type { FoldResult } from '../fold-batch.ts';
import type { PositionedEvent } from '../protocol.ts';

/** The next events of an instance, and how it is before them. */
export interface InstanceBatch {
  readonly head: Head | undefined;
  readonly events: readonly PositionedEvent[];
}

/**
 * The results of folding the first events of a batch, and the model that folded them; or the error of the very first
 * event; or the reason why the batch cannot be folded now. Where all timers are stale no model is asked.
 */
export type InstanceBatchResult =
  | { readonly model: Model; readonly results: readonly FoldResult[] }
  | { readonly model?: undefined; readonly results: readonly 'stale-timer'[] }
  | { readonly fault: unknown }
  | { readonly unavailable: string };

/** A model whose code is elsewhere, and is asked. */
export interface RemoteModel {
  readonly id: string;
  /** The fields that are sealed, as the model that folded last has them. */
  readonly sensitive?: Sensitive;
  /** What it is. */
  describe(): Promise<Model>;
  /** Folds the next events of many instances. */
  fold(batches: readonly InstanceBatch[]): Promise<InstanceBatchResult[]>;
}

/** Whether a model is one that is asked. */
export const isRemote = (model: Model | RemoteModel): model is RemoteModel => 'fold' in model;
