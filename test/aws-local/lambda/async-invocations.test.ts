import { describe, expect, it } from 'vitest';
import {
  AsyncInvocations,
  type AttemptResult,
} from '../../../src/aws-local/lambda/async-invocations.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { define, hostOf } from './bundles.ts';

/** Delivers an event whose attempts have the given results in order. The last result repeats. */
function deliver(results: AttemptResult[]) {
  const clock = new ManualClock();
  const started = clock.now();
  const seen = { atSeconds: [] as number[], dropped: false };
  const invocations = new AsyncInvocations(clock);
  const finished = invocations.deliver(
    async () => {
      seen.atSeconds.push((clock.now() - started) / 1000);
      return results[Math.min(seen.atSeconds.length, results.length) - 1] ?? 'done';
    },
    () => {
      seen.dropped = true;
    },
  );
  return { clock, seen, finished, invocations };
}

describe('an asynchronous event', () => {
  it('is retried one minute and then two minutes after a function error, and then dropped', async () => {
    const { clock, seen, finished } = deliver(['function-error']);
    await clock.advance(3_600_000);
    await finished;
    expect(seen).toEqual({ atSeconds: [0, 60, 180], dropped: true });
  });

  it('is not retried after a successful attempt', async () => {
    const { clock, seen, finished } = deliver(['function-error', 'done']);
    await clock.advance(3_600_000);
    await finished;
    expect(seen).toEqual({ atSeconds: [0, 60], dropped: false });
  });

  it('is retried at growing intervals for six hours while it is throttled, and then dropped', async () => {
    const { clock, seen, finished } = deliver(['throttled']);
    await clock.advance(7 * 3_600_000);
    await finished;
    expect(seen.atSeconds.slice(0, 11)).toEqual([0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 811]);
    expect(seen.atSeconds.at(-1)).toBeLessThanOrEqual(6 * 3600);
    expect(seen.dropped).toBe(true);
  });

  it('is not retried after the host closes', async () => {
    const { clock, seen, finished, invocations } = deliver(['function-error']);
    await clock.settle();
    invocations.close();
    await finished;
    expect(seen).toEqual({ atSeconds: [0], dropped: false });
  });

  it('is processed after the response, with the same request id for all attempts and without a client context', async () => {
    const clock = new ManualClock();
    const lines: string[] = [];
    const source = `export const handler = async (event, context) => {
      console.log('seen', JSON.stringify([event, context.awsRequestId, context.clientContext ?? null]));
      throw new Error('again');
    };`;
    const host = hostOf([await define('f', source)], { clock, log: (line) => lines.push(line) });
    const answer = await host.invoke({
      functionName: 'f',
      invocationType: 'Event',
      payload: '{"n":1}',
      clientContext: '{}',
      logTail: true,
    });
    expect(answer).toEqual({ statusCode: 202, requestId: answer.requestId, payload: '' });
    for (const [attempts, wait] of [
      [1, 60_000],
      [2, 120_000],
      [3, 3_600_000],
    ] as const) {
      await expect.poll(() => host.statistics().f?.errors, { timeout: 10_000 }).toBe(attempts);
      await clock.advance(wait);
    }
    expect(host.statistics().f).toMatchObject({ invocations: 3, asyncEventsDropped: 1 });
    const seen = lines.filter((line) => line.includes('seen'));
    expect(seen.map((line) => JSON.parse(line.split('seen ')[1] ?? ''))).toEqual(
      Array.from({ length: 3 }, () => [{ n: 1 }, answer.requestId, null]),
    );
  });
});
