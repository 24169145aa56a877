import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { escapeControls } from '../../common/escape.ts';
import { messageOf } from '../../common/message-of.ts';
import type { Model } from '../../core/model/model.ts';

/** Loads a module by its absolute path. */
export type ImportModule = (path: string) => Promise<object>;

/** A model, or a one-line message that explains why the file provides none. */
export type Candidate = { readonly model: Model } | { readonly wrong: string };

/**
 * Loads the model that a TypeScript or JavaScript file exports, under any name. Executes the file.
 *
 * @param id the required id of the model; undefined to accept any model.
 */
export async function loadCandidate(
  path: string,
  id: string | undefined,
  importModule: ImportModule,
): Promise<Candidate> {
  if (!existsSync(path)) return { wrong: `cannot load ${path}: there is no such file` };
  let exports: object;
  try {
    exports = await importModule(resolve(path));
  } catch (error) {
    const [reason = ''] = messageOf(error).split('\n');
    return { wrong: `cannot load ${path}: ${escapeControls(reason)}` };
  }
  // A model can be exported both by name and as the default.
  const models = [...new Set(Object.values(exports))].filter((each) => isModel(each));
  const ids = models.map((each) => each.id).join(', ');
  const [model] = models;
  if (!model) return { wrong: `${path} exports no model${hint(exports)}` };
  if (models.length > 1) return { wrong: `${path} exports several models: ${ids}` };
  if (id !== undefined && model.id !== id)
    return { wrong: `${path} exports the model ${model.id}, not ${id}` };
  return { model };
}

/** Returns a hint for a file that exports a Lambda handler instead of a model. */
const hint = (exports: object) =>
  'handler' in exports ? '; specify the file that defines the model, not its Lambda handler' : '';

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
