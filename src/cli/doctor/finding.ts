import type { CheckResponse } from '../client/responses.ts';

/** The result of a check that the service or the CLI performed. */
export type Finding = CheckResponse;

/** Creates the result of a check. `remedy`: the commands of the remedy, if any. */
export const finding = (
  id: string,
  state: Finding['state'],
  detail: string,
  ...remedy: readonly string[]
): Finding => ({ id, state, detail, remedy });
