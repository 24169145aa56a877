import type { StandardSchemaV1 } from '@standard-schema/spec';
import type * as v from 'valibot';
import { defineModel } from '../../core/model/define-model.ts';
import type { Model } from '../../core/model/model.ts';
import type { modelDescription } from './schemas.ts';

/** A schema that accepts any data because the function validates its events' data. */
const anything: StandardSchemaV1 = {
  '~standard': { version: 1, vendor: 'milepost', validate: (value) => ({ value }) },
};

/**
 * Builds a model from the description that a function returned. The model's code remains in the function.
 *
 * @throws MilepostError `bad-model` if the description does not describe a valid model.
 */
export function modelFromDescription(
  description: v.InferOutput<typeof modelDescription>,
): Model<unknown, Record<string, StandardSchemaV1>> {
  const { eventTypes, labels, ...declared } = description;
  return defineModel({
    ...declared,
    // The labels' languages need no check here because `defineModel` validates them.
    ...(labels && { labels }),
    events: Object.fromEntries(eventTypes.map((type) => [type, anything])),
    initial: inTheFunction,
    transition: inTheFunction,
    describe: inTheFunction,
  });
}

function inTheFunction(): never {
  throw new Error('the code of this model is in a model function');
}
