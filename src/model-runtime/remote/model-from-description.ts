import type { StandardSchemaV1 } from '@standard-schema/spec';
import type * as v from 'valibot';
import { defineModel, type Model } from '../../core/model/model.ts';
import type { modelDescription } from './schemas.ts';

/** The function itself looks at the data of its events. */
const anything: StandardSchemaV1 = {
  '~standard': { version: 1, vendor: 'milepost', validate: (value) => ({ value }) },
};

/**
 * The model that a function described: all of it but its code, which stays with the function.
 *
 * @throws MilepostError `bad-model` for what no model can be.
 */
export function modelFromDescription(
  description: v.InferOutput<typeof modelDescription>,
): Model<unknown, Record<string, StandardSchemaV1>> {
  const { eventTypes, ...declared } = description;
  return defineModel({
    ...declared,
    events: Object.fromEntries(eventTypes.map((type) => [type, anything])),
    initial: inTheFunction,
    transition: inTheFunction,
    describe: inTheFunction,
  });
}

function inTheFunction(): never {
  throw new Error('this model is folded by its function');
}
