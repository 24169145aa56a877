import type { Side } from './side.ts';
import { castore } from './sides/castore.ts';
import { emmett } from './sides/emmett.ts';
import { milepost } from './sides/milepost.ts';
import { redisAlways, redisEverySecond } from './sides/redis.ts';
import { restateDefault, restateTuned } from './sides/restate.ts';

/** The measured systems. The first one is Milepost, the baseline of the comparison. */
export const sides: readonly Side[] = [
  milepost,
  restateTuned,
  restateDefault,
  redisEverySecond,
  redisAlways,
  castore,
  emmett,
];
