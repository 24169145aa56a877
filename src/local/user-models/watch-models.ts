import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BuildContext, type BuildResult, context } from 'esbuild';
import { messageOf } from '../../common/message-of.ts';
import { buildErrorMessage, modelBuildOptions, writeBundle } from './bundle-model.ts';
import { findModels, type ModelSource } from './find-models.ts';
import { isPython } from './python-model.ts';
import { PythonModelWatcher } from './python-model-watcher.ts';
import type { BundledModel } from './with-models.ts';

/** How often the folder is looked at for new models, in milliseconds. */
const scanIntervalMs = 500;

/** What is done with what is found. */
export interface WatchModelsOptions {
  /** The folder for all bundles. */
  readonly bundles: string;
  /** Takes a model's code, at the start as well, and whenever a file that it is made from changed. */
  readonly deploy: (model: BundledModel) => Promise<void>;
  readonly log: (line: string) => void;
}

/**
 * Bundles each model of a folder again whenever one of its files is saved, and those that come to be
 * there. A model that is removed runs on until the next start: a folder may be gone for a moment only,
 * as while another branch is checked out, and events for it would be dead letters.
 *
 * @returns what ends it; nothing is taken after that.
 */
export function watchModels(
  folder: string,
  { bundles, deploy: take, log }: WatchModelsOptions,
): AsyncDisposable {
  const contexts = new Map<string, BuildContext>();
  const ended = new AbortController();
  // One after the other, because they share what is registered.
  let taking = Promise.resolve();

  const next = (id: string, work: () => Promise<void> | void) => {
    taking = taking
      .then(() => (ended.signal.aborted ? undefined : work()))
      .catch((error: unknown) => log(`the model ${id}: ${messageOf(error)}`));
  };
  const inPython = new PythonModelWatcher({
    bundles,
    enqueue: next,
    deploy: take,
    onRemoved: (source) => log(noLongerIn(source)),
  });
  const noLongerIn = ({ id }: ModelSource) =>
    `The model ${id} is no longer in ${folder}; it runs on until the next start`;

  const built = (source: ModelSource, { errors, outputFiles }: BuildResult) => {
    next(source.id, async () => {
      if (outputFiles && outputFiles.length > 0)
        return take(await writeBundle(source.id, outputFiles, bundles));
      log(
        existsSync(source.entry)
          ? `${buildErrorMessage(source, errors)}; the one before runs on`
          : noLongerIn(source),
      );
    });
  };

  const watch = async (source: ModelSource) => {
    const building = await context({
      ...modelBuildOptions(source.entry),
      plugins: [
        {
          name: 'milepost',
          setup(build) {
            build.onEnd((result) => built(source, result));
          },
        },
      ],
    });
    contexts.set(source.id, building);
    await building.watch();
  };

  const look = async () => {
    let wrong = '';
    while (!ended.signal.aborted) {
      const found = await findModels(folder).catch((error: unknown) => messageOf(error));
      if (typeof found !== 'string')
        for (const source of found)
          if (!isPython(source) && !contexts.has(source.id)) await watch(source);
      await inPython.scan(typeof found === 'string' ? [] : found.filter(isPython));
      // Said once, and not again for as long as it is so.
      const reason = typeof found === 'string' ? found : '';
      if (reason !== '' && reason !== wrong) log(`no new models are taken: ${reason}`);
      wrong = reason;
      await sleep(scanIntervalMs, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  };
  const looking = look();
  return {
    async [Symbol.asyncDispose]() {
      ended.abort();
      await looking;
      await Promise.all([...contexts.values()].map((building) => building.dispose()));
      await taking;
    },
  };
}
