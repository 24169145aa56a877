import type * as v from 'valibot';
import type { responses } from '../client/responses.ts';

/** The result of a check that the service or the CLI performed. */
export type Finding = v.InferOutput<typeof responses.checks>['checks'][number];

/** Creates the result of a check. `remedy`: the commands of the remedy, if any. */
export const finding = (
  id: string,
  state: Finding['state'],
  detail: string,
  ...remedy: readonly string[]
): Finding => ({ id, state, detail, remedy });
