import type { Head } from '../../core/history/commit.ts';
import type { Model } from '../../core/model/model.ts';
import type { Sensitive } from '../../core/personal-data/sensitive.ts';
import type { FoldedBatch } from '../fold-batch.ts';
import type { PositionedEvent } from '../protocol.ts';

/** The next events of an instance, and how it is before them. */
export interface Batch {
  readonly newest: Head | undefined;
  readonly events: readonly PositionedEvent[];
}

/** What folding a batch came to, and the model by which there are steps; or why it cannot be folded now. */
export type BatchFold =
  | { readonly model?: Model; readonly folded: FoldedBatch }
  | { readonly unavailable: string };

/** A model whose code is elsewhere, and is asked. */
export interface AskedModel {
  readonly id: string;
  /** The fields that are sealed, as the model that folded last has them. */
  readonly sensitive?: Sensitive;
  /** What it is. */
  describe(): Promise<Model>;
  /** Folds the next events of many instances. */
  fold(batches: readonly Batch[]): Promise<BatchFold[]>;
}

/** Whether a model is one that is asked. */
export const isAsked = (model: Model | AskedModel): model is AskedModel => 'fold' in model;
