import { useEffect, useState } from 'preact/hooks';
import { serviceNow } from '../api/service-clock.ts';

const listeners = new Set<() => void>();
let timer = 0;

function tick(): void {
  if (!document.hidden) for (const listener of listeners) listener();
}

/** Returns text that depends on the current time, and updates it every second. */
export function useTicking(textAt: (now: number) => string): string {
  const [, setShown] = useState('');
  useEffect(() => {
    // The component does not render again if the text is unchanged.
    const listener = () => setShown(textAt(serviceNow()));
    listeners.add(listener);
    if (listeners.size === 1) timer = window.setInterval(tick, 1000);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) window.clearInterval(timer);
    };
  }, [textAt]);
  return textAt(serviceNow());
}
