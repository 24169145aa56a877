import { useEffect, useState } from 'preact/hooks';

const listeners = new Set<() => void>();
let timer = 0;

function tick(): void {
  if (!document.hidden) for (const listener of listeners) listener();
}

/** A text that goes by the present time, kept right to the second. */
export function useTicking(textAt: (now: number) => string): string {
  const [, setShown] = useState('');
  useEffect(() => {
    // Setting the same text again draws nothing.
    const listener = () => setShown(textAt(Date.now()));
    listeners.add(listener);
    if (listeners.size === 1) timer = window.setInterval(tick, 1000);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) window.clearInterval(timer);
    };
  }, [textAt]);
  return textAt(Date.now());
}
