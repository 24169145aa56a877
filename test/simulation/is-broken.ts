import type { Until } from './log.ts';

/** True if something with a failure duration still fails after this many failures. */
export const isBroken = (
  { mended }: { readonly mended: boolean },
  failures: number,
  until: Until,
): boolean => until === 'always' || (!mended && (until === 'mended' || failures < until));
