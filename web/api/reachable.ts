import { useEffect, useState } from 'preact/hooks';

/* Tracks, for all pages together, whether the latest request reached the service. */

let reachable = true;
const listeners = new Set<(now: boolean) => void>();

/** Records whether the latest request reached the service. */
export function setReachable(now: boolean): void {
  if (now === reachable) return;
  reachable = now;
  for (const listener of listeners) listener(now);
}

/**
 * Returns false if the latest request did not reach the service. The component renders again when the value changes.
 */
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
