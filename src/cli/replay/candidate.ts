import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Model } from '../../core/model/model.ts';
import { escapeControls } from '../output/escape.ts';

/** Loads a module by its address, as `import()` does. */
export type ImportModule = (url: string) => Promise<object>;

/** A model, or why a file gives none, in a line for people. */
export type Candidate = { readonly model: Model } | { readonly wrong: string };

/**
 * The model that a file of TypeScript or JavaScript exports, by whatever name. Its code is run.
 *
 * @param id the model that is asked for; undefined: whichever it is.
 */
export async function loadCandidate(
  path: string,
  id: string | undefined,
  importModule: ImportModule,
): Promise<Candidate> {
  let exports: object;
  try {
    exports = await importModule(pathToFileURL(resolve(path)).href);
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return { wrong: `cannot load ${path}: ${escapeControls(reason)}` };
  }
  // One that is exported by its name and as the default is one model.
  const models = [...new Set(Object.values(exports))].filter((each) => isModel(each));
  const ids = models.map((each) => each.id).join(', ');
  const [model] = models;
  if (!model) return { wrong: `${path} exports no model${hint(exports)}` };
  if (models.length > 1) return { wrong: `${path} exports several models: ${ids}` };
  if (id !== undefined && model.id !== id)
    return { wrong: `${path} exports the model ${model.id}, and not ${id}` };
  return { model };
}

/** What a file exports that is the Lambda of a model. */
const hint = (exports: object) =>
  'handler' in exports ? ': name the file that defines it, and not that of its Lambda' : '';

function isModel(value: unknown): value is Model {
  if (typeof value !== 'object' || value === null) return false;
  const { id, version, events, initial, transition, describe } = value as Partial<Model>;
  return (
    typeof id === 'string' &&
    typeof version === 'number' &&
    typeof events === 'object' &&
    [initial, transition, describe].every((each) => typeof each === 'function')
  );
}
