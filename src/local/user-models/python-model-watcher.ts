import { existsSync } from 'node:fs';
import type { ModelSource } from './find-models.ts';
import { bundlePython, modelHostIn, savedAt } from './python-model.ts';
import type { BundledModel } from './with-models.ts';

/** What is done with models in Python that are found. */
export interface PythonModelWatcherOptions {
  /** The folder for all bundles. */
  readonly bundles: string;
  /** Does work for a model when all work before it is done. */
  readonly enqueue: (id: string, work: () => Promise<void>) => void;
  readonly deploy: (model: BundledModel) => Promise<void>;
  /** Told of a model whose files are gone, once. */
  readonly onRemoved: (source: ModelSource) => void;
}

/** Copies models in Python, at first and whenever one of their files was saved: nothing else tells of that. */
export class PythonModelWatcher {
  readonly #options: PythonModelWatcherOptions;
  /** The models, each with what its files were when it was copied last. */
  readonly #known = new Map<string, { readonly source: ModelSource; readonly saved: string }>();
  #host: Promise<string> | undefined;

  constructor(options: PythonModelWatcherOptions) {
    this.#options = options;
  }

  /** @param found the models in Python that there are now. */
  async scan(found: readonly ModelSource[]): Promise<void> {
    for (const source of found) {
      // A file may go away while it is looked at; the next look finds that.
      const saved = await savedAt(source).catch(() => undefined);
      if (saved === undefined || saved === this.#known.get(source.id)?.saved) continue;
      this.#known.set(source.id, { source, saved });
      this.#options.enqueue(source.id, () => this.#take(source));
    }
    for (const { source } of this.#known.values())
      if (!existsSync(source.entry)) {
        this.#known.delete(source.id);
        this.#options.onRemoved(source);
      }
  }

  async #take(source: ModelSource): Promise<void> {
    const { bundles, deploy: take } = this.#options;
    this.#host ??= modelHostIn(bundles);
    await take(await bundlePython(source, bundles, await this.#host));
  }
}
