import type { Clock } from '../../core/clock.ts';
import { ServiceError } from './service-error.ts';

/** As the SDKs' standard mode: so many attempts, with waits that grow from here to there. */
const attempts = 3;
const firstWait = 100;
const firstWaitWhenThrottled = 500;
const longestWait = 20_000;

const passing = new Set([500, 502, 503, 504]);
const broken = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN']);

/** Makes a call again when what it failed by may have passed; throws what it failed by last. */
export async function withRetries<Answer>(
  call: () => Promise<Answer>,
  clock: Clock,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      const wait = attempt < attempts ? firstWaitAfter(error) : undefined;
      if (wait === undefined) throw error;
      await clock.sleep(Math.random() * Math.min(longestWait, wait * 2 ** (attempt - 1)));
    }
  }
}

/** In milliseconds; none where it would fail again. */
function firstWaitAfter(error: unknown): number | undefined {
  if (error instanceof ServiceError) {
    if (error.code === 'busy') return firstWaitWhenThrottled;
    return passing.has(error.status) ? firstWait : undefined;
  }
  return broken.has((error as { code?: string }).code ?? '') ? firstWait : undefined;
}
