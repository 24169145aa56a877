import type { ComponentChildren } from 'preact';
import { useCallback, useEffect } from 'preact/hooks';
import { escapeControls } from '../../src/common/escape.ts';
import { relative } from '../pure/times.ts';
import { Id } from './marks.tsx';
import { useTicking } from './use-now.ts';

/** The heading of a page, which is also the window title. */
export function Title({
  text,
  loadedAt,
  children,
}: {
  readonly text: string;
  /** Returns when the content of the page was loaded; absent if the content does not come from the service. */
  readonly loadedAt?: () => number | undefined;
  readonly children?: ComponentChildren;
}) {
  useEffect(() => {
    document.title = `${escapeControls(text)} · Milepost`;
  }, [text]);
  return (
    <div class="title">
      <h1>
        <Id text={text} />
      </h1>
      {children}
      {loadedAt ? <Updated loadedAt={loadedAt} /> : null}
    </div>
  );
}

/** Shows how old the content of the page is. */
function Updated({ loadedAt }: { readonly loadedAt: () => number | undefined }) {
  const textAt = useCallback(
    (now: number) => {
      const at = loadedAt();
      return at === undefined ? '' : `Updated ${relative(new Date(at).toISOString(), now)}`;
    },
    [loadedAt],
  );
  return <span class="updated">{useTicking(textAt)}</span>;
}
