import { useEffect, useRef, useState } from 'preact/hooks';
import { parseJson } from '../../../src/core/json/parse-json.ts';
import { RequestError } from '../../api/request-error.ts';
import { requestJson } from '../../api/request-json.ts';
import type { InstancePage, Summary } from '../../api/types.ts';
import { withQuery } from '../../pure/paths.ts';

/** The instances in a filtered list as of when it was read. Later changes to the list do not affect the selection. */
export interface Selection {
  readonly state: 'reading' | 'complete' | 'too-many' | 'failed';
  readonly instances: readonly Summary[];
  readonly failure: string | undefined;
}

const pageSize = '100';
const empty: Selection = { state: 'reading', instances: [], failure: undefined };

/**
 * Reads all instances in a list, page by page.
 *
 * @param atMost the maximum number of instances; a longer list is not read to its end.
 */
export function useSelection(
  filters: Readonly<Record<string, string | undefined>>,
  atMost: number,
): Selection {
  const [selection, setSelection] = useState(empty);
  // Read the list only once. If the filters change, the dialog closes.
  const wanted = useRef(filters);
  useEffect(() => {
    const left = new AbortController();
    const read = async () => {
      const found = new Map<string, Summary>();
      const state = (now: Selection['state']) =>
        setSelection({
          state: now,
          instances: [...found.values()].toReversed(),
          failure: undefined,
        });
      for (let cursor: string | undefined, isLast = false; !isLast; ) {
        // With the oldest first, an instance that changes while the list is read moves to a later page, and is not
        // missed.
        const query = { ...wanted.current, order: 'oldest', limit: pageSize, cursor };
        const path = withQuery('/api/instances', query);
        const page = parseJson<InstancePage>(await requestJson(path, { signal: left.signal }));
        // An instance that changes while the list is read can appear on two pages.
        for (const each of page.instances) {
          const name = `${each.model}/${each.transaction}`;
          found.delete(name);
          found.set(name, each);
        }
        ({ cursor } = page);
        isLast = cursor === undefined;
        if (found.size > atMost) return state('too-many');
        state(isLast ? 'complete' : 'reading');
      }
    };
    read().catch((error: unknown) => {
      const failure = error instanceof RequestError ? error.message : String(error);
      if (!left.signal.aborted) setSelection((before) => ({ ...before, state: 'failed', failure }));
    });
    return () => left.abort();
  }, [atMost]);
  return selection;
}
