import type { Until } from './log.ts';

/** Whether what fails until then fails still, after so many failures. */
export const isBroken = (
  { mended }: { readonly mended: boolean },
  failures: number,
  until: Until,
): boolean => until === 'always' || (!mended && (until === 'mended' || failures < until));
