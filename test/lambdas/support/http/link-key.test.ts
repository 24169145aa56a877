import { expect, it, vi } from 'vitest';
import { cachedLinkKey } from '../../../../lambdas/support/http/link-key.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const minute = 60_000;

it('the link key is read once for concurrent requests and cached for five minutes', async () => {
  const clock = new ManualClock();
  const read = vi.fn<() => Promise<string>>(() => Promise.resolve('key'));
  const linkKey = cachedLinkKey(read, clock);
  expect(await Promise.all([linkKey(), linkKey()])).toEqual(['key', 'key']);
  await clock.advance(5 * minute - 1);
  expect(await linkKey()).toBe('key');
  expect(read).toHaveBeenCalledTimes(1);
});

it('a replaced link key is used after five minutes', async () => {
  const clock = new ManualClock();
  let stored = 'leaked';
  const linkKey = cachedLinkKey(() => Promise.resolve(stored), clock);
  expect(await linkKey()).toBe('leaked');
  stored = 'new';
  await clock.advance(5 * minute);
  expect(await linkKey()).toBe('new');
});

it('the cached link key remains in use for another five minutes if the secret cannot be read', async () => {
  const clock = new ManualClock();
  const read = vi.fn<() => Promise<string>>(() => Promise.resolve('key'));
  const linkKey = cachedLinkKey(read, clock);
  await linkKey();
  read.mockRejectedValue(new Error('unavailable'));
  await clock.advance(5 * minute);
  expect(await linkKey()).toBe('key');
  await clock.advance(5 * minute - 1);
  expect(await linkKey()).toBe('key');
  expect(read).toHaveBeenCalledTimes(2);
  await clock.advance(1);
  await linkKey();
  expect(read).toHaveBeenCalledTimes(3);
});

it('a failed first read of the link key fails the request, and the next request reads the key again', async () => {
  const read = vi.fn<() => Promise<string>>(() => Promise.resolve('key'));
  read.mockRejectedValueOnce(new Error('unavailable'));
  const linkKey = cachedLinkKey(read, new ManualClock());
  await expect(linkKey()).rejects.toThrow('unavailable');
  expect(await linkKey()).toBe('key');
});
