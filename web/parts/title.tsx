import type { ComponentChildren } from 'preact';
import { useCallback, useEffect } from 'preact/hooks';
import { escapeControls } from '../../src/common/escape.ts';
import type { RequestError } from '../api/request-error.ts';
import { relative } from '../pure/times.ts';
import { Id } from './marks.tsx';
import { sentence } from './states.tsx';
import { useTicking } from './use-now.ts';

/** The heading of a page, which is also the window title. */
export function Title({
  text,
  loadedAt,
  failure,
  children,
}: {
  readonly text: string;
  /** Returns when the content of the page was loaded; absent if the content does not come from the service. */
  readonly loadedAt?: () => number | undefined;
  /** The error of the latest update of the content; undefined if it succeeded. */
  readonly failure?: RequestError | undefined;
  readonly children?: ComponentChildren;
}) {
  useEffect(() => {
    document.title = `${escapeControls(text)} · Milepost`;
  }, [text]);
  return (
    <>
      <div class="title">
        <h1>
          <Id text={text} />
        </h1>
        {children}
        {loadedAt ? <Updated loadedAt={loadedAt} /> : null}
      </div>
      <div role="status">
        {/* The page already shows another banner if the service cannot be reached. */}
        {failure?.status ? (
          <p class="banner">
            Cannot update this page: {sentence(failure.message)} This page shows the last known
            state and keeps retrying.
          </p>
        ) : null}
      </div>
    </>
  );
}

/** Shows how old the page's content is. */
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
