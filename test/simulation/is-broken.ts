import type { Until } from './log.ts';

/** True if a failure with the given duration continues after the given number of failed attempts. */
export const isBroken = (
  { mended }: { readonly mended: boolean },
  failures: number,
  until: Until,
): boolean => until === 'always' || (!mended && (until === 'mended' || failures < until));
