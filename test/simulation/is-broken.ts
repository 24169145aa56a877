import type { Until } from './log.ts';

/** Whether a failure with this duration continues after this many failures. */
export const isBroken = (
  { mended }: { readonly mended: boolean },
  failures: number,
  until: Until,
): boolean => until === 'always' || (!mended && (until === 'mended' || failures < until));
