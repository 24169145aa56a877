import { castore } from './castore.ts';
import { emmett } from './emmett.ts';
import { milepost } from './milepost.ts';
import { redisAlways, redisEverySecond } from './redis.ts';
import { restateDefault, restateTuned } from './restate.ts';
import type { Side } from './side.ts';

/** All measured systems. The others are compared with the first one. */
export const sides: readonly Side[] = [
  milepost,
  restateTuned,
  restateDefault,
  redisEverySecond,
  redisAlways,
  castore,
  emmett,
];
