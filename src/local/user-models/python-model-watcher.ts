import { existsSync } from 'node:fs';
import { loadOnce } from '../../common/load-once.ts';
import type { ModelSource } from './find-models.ts';
import { bundlePython, modelHostIn, savedAt } from './python-model.ts';
import type { BundledModel } from './with-models.ts';

export interface PythonModelWatcherOptions {
  /** The folder for all bundles. */
  readonly bundles: string;
  /** Queues work for a model, to run after all work that was queued earlier. */
  readonly enqueue: (id: string, work: () => Promise<void>) => void;
  readonly deploy: (model: BundledModel) => Promise<void>;
  /** Called once when the file of a model has been removed. */
  readonly onRemoved: (source: ModelSource) => void;
}

/**
 * Copies and deploys models in Python, initially and whenever one of their files is saved. The caller must call `scan`
 * regularly, because no build tool reports changes to these files.
 */
export class PythonModelWatcher {
  readonly #options: PythonModelWatcherOptions;
  /** The models, each with the state of its files when it was last queued for copying. */
  readonly #known = new Map<string, { readonly source: ModelSource; readonly saved: string }>();
  readonly #host: () => Promise<string>;

  constructor(options: PythonModelWatcherOptions) {
    this.#options = options;
    this.#host = loadOnce(() => modelHostIn(options.bundles));
  }

  /**
   * Queues the models whose files have changed since the last scan, and reports the removed models.
   *
   * @param found the current models in Python.
   */
  async scan(found: readonly ModelSource[]): Promise<void> {
    for (const source of found) {
      // If a file is removed during the scan, the next scan handles the change.
      const saved = await savedAt(source).catch(() => undefined);
      if (saved === undefined || saved === this.#known.get(source.id)?.saved) continue;
      this.#known.set(source.id, { source, saved });
      this.#options.enqueue(source.id, () => this.#copy(source));
    }
    for (const { source } of this.#known.values())
      if (!existsSync(source.entry)) {
        this.#known.delete(source.id);
        this.#options.onRemoved(source);
      }
  }

  async #copy(source: ModelSource): Promise<void> {
    const { bundles, deploy } = this.#options;
    await deploy(await bundlePython(source, bundles, await this.#host()));
  }
}
