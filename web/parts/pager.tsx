import { useLocation } from 'preact-iso/router';
import { withQuery } from '../pure/paths.ts';

/**
 * Maps the address of a page to the address of the previous page. The map is necessary because the API returns cursors
 * only for following pages.
 */
const before = new Map<string, string>();

/** Buttons to the next and the previous page of a list. A page's address contains its cursor. */
export function Pager({ next }: { readonly next: string | undefined }) {
  const { path, query, url, route } = useLocation();
  const onward = next && withQuery(path, { ...query, cursor: next });
  const first = withQuery(path, { ...query, cursor: undefined });
  const isFirst = query.cursor === undefined;
  const go = (to: string) => {
    if (to === onward) before.set(to, url);
    route(to);
    window.scrollTo(0, 0);
  };
  return (
    <nav class="pager" aria-label="Pages">
      <button type="button" disabled={isFirst} onClick={() => go(before.get(url) ?? first)}>
        ← Previous
      </button>
      <button type="button" disabled={!onward} onClick={() => onward && go(onward)}>
        Next →
      </button>
    </nav>
  );
}
