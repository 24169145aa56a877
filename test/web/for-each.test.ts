import { describe, expect, it } from 'vitest';
import { type ForEachOptions, forEach } from '../../web/api/for-each.ts';
import { RequestError } from '../../web/api/request-error.ts';

const items = ['a', 'b', 'c', 'd', 'e'];
const quietly = (more: Partial<ForEachOptions> = {}): ForEachOptions => ({
  concurrency: 2,
  report: () => {},
  sleep: () => Promise.resolve(),
  ...more,
});

describe('a request for each of several items', () => {
  it('is sent once for each item, in order if only one request is sent at a time', async () => {
    const sent: string[] = [];
    const reported: string[] = [];
    const result = await forEach(
      items,
      (item) => {
        sent.push(item);
        return Promise.resolve();
      },
      quietly({ concurrency: 1, report: (done, all) => reported.push(`${done}/${all}`) }),
    );
    expect(sent).toEqual(items);
    expect(reported).toEqual(['0/5', '1/5', '2/5', '3/5', '4/5']);
    expect(result).toEqual({ done: 5, skipped: 0, failed: [] });
  });

  it('is sent for several items at the same time, up to the limit', async () => {
    let [running, most] = [0, 0];
    await forEach(
      items,
      async () => {
        most = Math.max(most, ++running);
        await Promise.resolve();
        running -= 1;
      },
      quietly({ concurrency: 3 }),
    );
    expect(most).toBe(3);
  });

  it('is repeated up to three times while the service is busy', async () => {
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
      quietly({
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

  it('can fail, or not apply to its item, without affecting other requests', async () => {
    const answers: Record<string, RequestError | undefined> = {
      a: new RequestError(404, 'gone'),
      b: new RequestError(409, 'no sensitive fields'),
      d: new RequestError(500, 'broken'),
    };
    const result = await forEach(
      items,
      (item) => (answers[item] ? Promise.reject(answers[item]) : Promise.resolve()),
      quietly(),
    );
    expect(result).toEqual({ done: 2, skipped: 2, failed: [{ item: 'd', message: 'broken' }] });
  });

  it('is not sent for the remaining items once the user stops', async () => {
    const sent: string[] = [];
    const stopped = forEach(
      items,
      (item) => {
        sent.push(item);
        return Promise.resolve();
      },
      quietly({
        concurrency: 1,
        report: (done) => {
          if (done === 2) throw new Error('Stopped after 2 of 5.');
        },
      }),
    );
    await expect(stopped).rejects.toThrow('Stopped after 2 of 5.');
    expect(sent).toEqual(['a', 'b']);
  });
});
