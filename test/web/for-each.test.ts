import { describe, expect, it } from 'vitest';
import { type ForEachOptions, forEach } from '../../web/api/for-each.ts';
import { RequestError } from '../../web/api/request-error.ts';

const items = ['a', 'b', 'c', 'd', 'e'];
const optionsWith = (more: Partial<ForEachOptions> = {}): ForEachOptions => ({
  concurrency: 2,
  report: () => {},
  sleep: () => Promise.resolve(),
  ...more,
});

describe('forEach', () => {
  it('sends one request for each item, in order if the concurrency is 1', async () => {
    const sent: string[] = [];
    const reported: string[] = [];
    const result = await forEach(
      items,
      (item) => {
        sent.push(item);
        return Promise.resolve();
      },
      optionsWith({ concurrency: 1, report: (done, all) => reported.push(`${done}/${all}`) }),
    );
    expect(sent).toEqual(items);
    expect(reported).toEqual(['0/5', '1/5', '2/5', '3/5', '4/5']);
    expect(result).toEqual({ done: 5, skipped: 0, failed: [] });
  });

  it('sends at most `concurrency` requests at the same time', async () => {
    let [running, most] = [0, 0];
    await forEach(
      items,
      async () => {
        most = Math.max(most, ++running);
        await Promise.resolve();
        running -= 1;
      },
      optionsWith({ concurrency: 3 }),
    );
    expect(most).toBe(3);
  });

  it('retries a request up to three times if the service is busy', async () => {
    const attempts = new Map<string, number>();
    const pauses: number[] = [];
    const result = await forEach(
      items,
      (item) => {
        const attempt = (attempts.get(item) ?? 0) + 1;
        attempts.set(item, attempt);
        const isBusy = item === 'b' || (item === 'c' && attempt < 3);
        return isBusy ? Promise.reject(new RequestError(503, 'overloaded')) : Promise.resolve();
      },
      optionsWith({
        sleep: (ms) => {
          pauses.push(ms);
          return Promise.resolve();
        },
      }),
    );
    expect(attempts).toEqual(new Map(Object.entries({ a: 1, b: 4, c: 3, d: 1, e: 1 })));
    expect(result).toEqual({
      done: 4,
      skipped: 0,
      failed: [{ item: 'b', message: 'overloaded' }],
    });
    expect(pauses.toSorted((a, b) => a - b)).toEqual([500, 500, 1_500, 1_500, 4_500]);
  });

  it.each([
    [new RequestError(0, 'unreachable'), 4],
    [new RequestError(429, 'too many'), 4],
    [new RequestError(503, 'overloaded'), 4],
    [new RequestError(500, 'broken'), 1],
    [new RequestError(404, 'gone'), 1],
    [new Error('not a response'), 1],
  ])('in response to %s sends a request %d times', async (error, times) => {
    let sent = 0;
    const request = () => {
      sent++;
      return Promise.reject(error);
    };
    await forEach(['a'], request, optionsWith());
    expect(sent).toBe(times);
  });

  it('skips items with status 404 or 409 and continues after other failures', async () => {
    const answers: Record<string, RequestError | undefined> = {
      a: new RequestError(404, 'gone'),
      b: new RequestError(409, 'no sensitive fields'),
      d: new RequestError(500, 'broken'),
    };
    const reported: number[] = [];
    const result = await forEach(
      items,
      (item) => (answers[item] ? Promise.reject(answers[item]) : Promise.resolve()),
      optionsWith({ concurrency: 1, report: (finished) => reported.push(finished) }),
    );
    expect(result).toEqual({ done: 2, skipped: 2, failed: [{ item: 'd', message: 'broken' }] });
    expect(reported).toEqual([0, 1, 2, 3, 4]);
  });

  it('sends no request for the remaining items after the user stops the operation', async () => {
    const sent: string[] = [];
    const stopped = forEach(
      items,
      (item) => {
        sent.push(item);
        return Promise.resolve();
      },
      optionsWith({
        concurrency: 1,
        report: (done) => {
          if (done === 2) throw new Error('Stopped after 2 of 5.');
        },
      }),
    );
    await expect(stopped).rejects.toThrow('Stopped after 2 of 5.');
    expect(sent).toEqual(['a', 'b']);
  });

  it('waits for requests in progress after the user stops the operation, and counts them as finished', async () => {
    const slow = Promise.withResolvers<void>();
    let isStopped = false;
    const stopped = forEach(
      items,
      async (item) => {
        if (item !== 'a') return slow.promise;
        await Promise.resolve();
        isStopped = true;
        setTimeout(slow.resolve);
      },
      optionsWith({
        report: (done, all) => {
          if (isStopped) throw new Error(`Stopped after ${done} of ${all}.`);
        },
      }),
    );
    await expect(stopped).rejects.toThrow('Stopped after 2 of 5.');
  });
});
