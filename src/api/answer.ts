import type { GenericSchema, InferOutput } from 'valibot';
import type * as schemas from './schemas.ts';

/** The type of a response body, inferred from its schema. */
export type Answer<Name extends keyof typeof schemas> = (typeof schemas)[Name] extends GenericSchema
  ? InferOutput<(typeof schemas)[Name]>
  : never;
