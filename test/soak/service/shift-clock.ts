import { readFileSync } from 'node:fs';

/** The minimum time between two reads of the offset, in milliseconds. */
const rereadAfterMs = 20;

/**
 * Shifts `Date` by the number of milliseconds in a file, which may change at any time. Timeouts use the monotonic clock
 * and stay correct, as they do when an operating system's clock is set.
 */
export function shiftClock(file: string): void {
  const RealDate = Date;
  let offset = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  const now = () => {
    if (performance.now() - readAt > rereadAfterMs) {
      offset = Number(readFileSync(file, 'utf8'));
      readAt = performance.now();
    }
    return RealDate.now() + offset;
  };
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as object,
    apply: () => new RealDate(now()).toString(),
    get: (target, name): unknown => (name === 'now' ? now : Reflect.get(target, name)),
  });
}
