import { useEffect, useRef, useState } from 'preact/hooks';
import { parseJson } from '../../src/core/json/parse-json.ts';
import { withQuery } from '../pure/paths.ts';
import { RequestError } from './request-error.ts';
import { requestJson } from './request-json.ts';
import type { Entry, HistoryPage } from './types.ts';

/** The number of entries per request, and the number of entries that are loaded before the user asks for more. */
const pageSize = 50;
const loadedAtFirst = 200;
/** The maximum number of entries that are loaded to show a step or version, unless the user asks for more. */
const loadedForMoment = 1_000;

/** The loaded part of an instance's history, oldest first. */
export interface History {
  readonly entries: readonly Entry[];
  /** True if there are later entries that are not loaded. */
  readonly more: boolean;
  readonly loading: boolean;
  readonly failure: RequestError | undefined;
  /** Loads more entries, including all entries up to the wanted step and version. After a failure, tries again. */
  readonly loadMore: () => void;
}

interface Loaded {
  readonly cursor: string | undefined;
  readonly page: HistoryPage;
}

/**
 * Loads a history page by page and loads new entries whenever the instance changes.
 *
 * @param path the path of the instance in the API.
 * @param version the instance's version, which changes when there are new entries; undefined until it is loaded.
 * @param wanted the step and the version to load: at least the entries up to the step and all entries of the version,
 *   unless they are too far into a long history.
 */
export function useHistory(
  path: string,
  version: number | undefined,
  wanted: { readonly step: number | undefined; readonly version: number | undefined },
): History {
  const pages = useRef<Loaded[]>([]);
  const [asked, setAsked] = useState(loadedAtFirst);
  const [state, setState] = useState<Omit<History, 'loadMore'>>({
    entries: [],
    more: false,
    loading: true,
    failure: undefined,
  });
  const [attempt, setAttempt] = useState(0);
  const forMoment = asked > loadedAtFirst ? Number.POSITIVE_INFINITY : loadedForMoment;
  const limit = Math.max(asked, Math.min(forMoment, wanted.step ?? 0));

  useEffect(() => {
    if (version === undefined) return;
    const left = new AbortController();
    const load = async () => {
      // Read the last page again because only this page can have grown.
      let cursor = pages.current.at(-1)?.cursor;
      let at = Math.max(0, pages.current.length - 1);
      for (;;) {
        const query = withQuery(`${path}/history`, { limit: String(pageSize), cursor });
        const page = parseJson<HistoryPage>(await requestJson(query, { signal: left.signal }));
        pages.current = [...pages.current.slice(0, at), { cursor, page }];
        const entries = pages.current.flatMap((loaded) => loaded.page.entries);
        const hasVersion =
          (entries.at(-1)?.version ?? 0) > (wanted.version ?? 0) || entries.length >= forMoment;
        const goesOn = page.cursor !== undefined && (entries.length < limit || !hasVersion);
        const more = page.cursor !== undefined;
        setState({ entries, more, loading: goesOn, failure: undefined });
        if (!goesOn) return;
        cursor = page.cursor;
        at++;
      }
    };
    load().catch((error: unknown) => {
      if (left.signal.aborted) return;
      const failure = error instanceof RequestError ? error : new RequestError(0, String(error));
      setState((before) => ({ ...before, loading: false, failure }));
    });
    return () => left.abort();
  }, [path, version, limit, forMoment, wanted.version, attempt]);

  return {
    ...state,
    loadMore() {
      if (state.failure) setAttempt(attempt + 1);
      else setAsked(limit + loadedAtFirst);
    },
  };
}
