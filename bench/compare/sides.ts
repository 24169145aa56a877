import { castore } from './castore.ts';
import { emmett } from './emmett.ts';
import { milepost } from './milepost.ts';
import { redisAlways, redisEverySecond } from './redis.ts';
import { restateDefault, restateTuned } from './restate.ts';
import type { Side } from './side.ts';

/** All that is measured; the first one is what the others are compared with. */
export const sides: readonly Side[] = [
  milepost,
  restateTuned,
  restateDefault,
  redisEverySecond,
  redisAlways,
  castore,
  emmett,
];
