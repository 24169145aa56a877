import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BuildContext,
  type BuildResult,
  context,
  formatMessages,
  type OutputFile,
  stop,
} from 'esbuild';
import { messageOf } from '../../common/message-of.ts';
import { oldZonesWarning } from '../../core/calendar/zones/old-data.ts';
import { buildErrorMessage, modelBuildOptions, writeBundle } from './bundle-model.ts';
import { findModels, type ModelSource } from './find-models.ts';
import { isPython } from './python-model.ts';
import { PythonModelWatcher } from './python-model-watcher.ts';
import type { DeploymentOutcome } from './reload-models.ts';
import type { BundledModel } from './with-models.ts';

/** The interval between scans for new models and for changes to models in Python, in milliseconds. */
const scanIntervalMs = 500;

export interface WatchModelsOptions {
  /** The folder for all bundles. */
  readonly bundles: string;
  /** Deploys a model's code. Called when watching starts, and whenever one of the model's source files changes. */
  readonly deploy: (model: BundledModel) => Promise<DeploymentOutcome>;
  readonly log: (line: string) => void;
}

/**
 * Bundles and deploys the models in a folder, including models that are added later, whenever one of their files is
 * saved. A removed model stays available until the next start, because its folder may be missing only briefly, for
 * example during a branch checkout. Without the model, its events would become dead letters.
 *
 * @returns a disposable that stops watching. After it is disposed, nothing is deployed.
 */
export function watchModels(
  folder: string,
  { bundles, deploy: take, log }: WatchModelsOptions,
): AsyncDisposable {
  const contexts = new Map<string, BuildContext>();
  const available = new Set<string>();
  /** The models whose latest code could not be deployed. */
  const faulty = new Set<string>();
  const ended = new AbortController();
  // Deploy sequentially because deployments share the registry.
  let taking = Promise.resolve();

  const next = (id: string, work: () => Promise<void> | void) => {
    taking = taking
      .then(() => (ended.signal.aborted ? undefined : work()))
      .catch((error: unknown) => log(`the model ${id}: ${messageOf(error)}`));
  };
  const deployModel = async (model: BundledModel) => {
    const { id } = model;
    const outcome = await take(model);
    if (outcome === 'refused') return void faulty.add(id);
    available.add(id);
    const wasFaulty = faulty.delete(id);
    if (wasFaulty && outcome === 'unchanged')
      log(`The model ${id} is valid again, and its code is unchanged`);
  };
  const inPython = new PythonModelWatcher({
    bundles,
    enqueue: next,
    deploy: deployModel,
    onRemoved: (source) => log(noLongerIn(source)),
  });
  const noLongerIn = ({ id }: ModelSource) =>
    `The model ${id} is no longer in ${folder}${available.has(id) ? '; it stays available until the next start' : ''}`;

  const built = (source: ModelSource, { errors, outputFiles }: BuildResult) => {
    next(source.id, async () => {
      if (outputFiles && outputFiles.length > 0) {
        warnOfOldZones(source, outputFiles);
        return deployModel(await writeBundle(source.id, outputFiles, bundles));
      }
      faulty.add(source.id);
      const stays = available.has(source.id)
        ? 'the previous code stays in use'
        : 'the model is not available';
      log(
        existsSync(source.entry)
          ? `${buildErrorMessage(source, errors)}; ${stays}`
          : noLongerIn(source),
      );
    });
  };

  const warnOfOldZones = ({ id }: ModelSource, files: readonly OutputFile[]) => {
    for (const { path, text } of files) {
      const warning = path.endsWith('.mjs') ? oldZonesWarning(text, Date.now()) : undefined;
      if (warning !== undefined) log(`the model ${id}: ${warning}`);
    }
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

  /**
   * Restarts esbuild's process if it ended, for example because the operating system killed it to free memory. Without
   * it, saved files would silently not be deployed.
   */
  const restartCompilerIfEnded = async () => {
    const isRunning = await formatMessages([], { kind: 'error' }).then(
      () => true,
      () => false,
    );
    if (isRunning) return;
    await stop();
    // The new process knows nothing of the previous watches.
    contexts.clear();
    await formatMessages([], { kind: 'error' });
    log('esbuild, which compiles the models, ended unexpectedly and was restarted');
  };

  /** Watches models that are not watched yet. Returns why this failed, or undefined if it succeeded. */
  const scan = async (): Promise<string | undefined> => {
    const found = await findModels(folder).catch(messageOf);
    const sources = typeof found === 'string' ? [] : found;
    await inPython.scan(sources.filter(isPython));
    if (typeof found === 'string') return found;
    try {
      await restartCompilerIfEnded();
      for (const source of sources)
        if (!isPython(source) && !contexts.has(source.id)) await watch(source);
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  };

  const look = async () => {
    let previous: string | undefined;
    while (!ended.signal.aborted) {
      const reason = await scan();
      // Log each reason only once.
      if (reason !== undefined && reason !== previous)
        log(`new models cannot be loaded: ${reason}`);
      previous = reason;
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
