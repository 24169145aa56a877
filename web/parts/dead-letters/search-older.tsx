import { useEffect, useRef, useState } from 'preact/hooks';
import { findOlderPage } from '../../api/read-older-letters.ts';
import type { DeadLetterPage, LetterSummary } from '../../api/types.ts';
import { countOf } from '../../pure/locale.ts';

/** Searches the pages with older dead letters, and opens the first one that contains a wanted dead letter. */
export function SearchOlder({
  next,
  isWanted,
  get,
  found,
}: {
  /** The cursor of the page that follows the current one. */
  readonly next: string;
  readonly isWanted: (letter: LetterSummary) => boolean;
  /** Reads the page that a cursor leads to. */
  readonly get: (cursor: string, signal: AbortSignal) => Promise<DeadLetterPage>;
  /** Called with the cursor of the page that contains a wanted dead letter. */
  readonly found: (cursor: string) => void;
}) {
  const [state, setState] = useState<'idle' | 'running' | 'ended'>('idle');
  const [text, setText] = useState('');
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const start = async () => {
    const { signal } = (running.current = new AbortController());
    const say = (read: number) => setText(`Searched ${countOf(read, 'older dead letter')}.`);
    setState('running');
    setText('Searching…');
    try {
      let total = 0;
      const cursor = await findOlderPage(
        next,
        isWanted,
        (each) => get(each, signal),
        (read) => say((total = read)),
      );
      if (signal.aborted) return;
      if (cursor !== undefined) return found(cursor);
      setState('ended');
      setText(`None of the ${countOf(total, 'older dead letter')} contains this text.`);
    } catch (error) {
      if (signal.aborted) return;
      setState('idle');
      setText(error instanceof Error ? error.message : String(error));
    }
  };
  const stop = () => {
    running.current?.abort();
    setState('idle');
    setText('Stopped.');
  };
  return (
    <>
      <p role="status">{text}</p>
      {state === 'idle' ? (
        <button type="button" onClick={() => void start()}>
          Search older dead letters
        </button>
      ) : null}
      {state === 'running' ? (
        <button type="button" onClick={stop}>
          Stop
        </button>
      ) : null}
    </>
  );
}
