import { useEffect, useState } from 'preact/hooks';

/* Whether the service answered when it was asked last: one answer for all pages. */

let reachable = true;
const listeners = new Set<(now: boolean) => void>();

/** Says how the latest request went. */
export function setReachable(now: boolean): void {
  if (now === reachable) return;
  reachable = now;
  for (const listener of listeners) listener(now);
}

/** Whether the service answers. */
export function useReachable(): boolean {
  const [now, setNow] = useState(reachable);
  useEffect(() => {
    listeners.add(setNow);
    setNow(reachable);
    return () => {
      listeners.delete(setNow);
    };
  }, []);
  return now;
}
