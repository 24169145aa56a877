import { useEffect, useRef, useState } from 'preact/hooks';
import { parseJson } from '../../../src/core/json/parse-json.ts';
import { RequestError } from '../../api/request-error.ts';
import { requestJson } from '../../api/request-json.ts';
import type { FoundEvents, Model, SearchResults } from '../../api/types.ts';
import { withQuery } from '../../pure/paths.ts';
import { eventResults, resultsOf, type SearchResult } from '../../pure/search-results.ts';

/** The pause in typing after which the search starts, in milliseconds. */
const debounceMs = 150;
const maximumLength = 256;

/** The results of the latest finished search, or the error that ended it. */
export interface Search {
  /** The text that the results belong to; empty until a search ends and after the user deletes the text. */
  readonly text: string;
  readonly results: readonly SearchResult[];
  readonly failure: string | undefined;
}

const nothing: Search = { text: '', results: [], failure: undefined };

/** Searches while the user types. The results of the previous text remain until the next ones arrive. */
export function useSearch(typed: string, models: readonly Model[]): Search {
  const [search, setSearch] = useState(nothing);
  const text = typed.trim().slice(0, maximumLength);
  useEffect(() => {
    if (text === '') {
      setSearch(nothing);
      return;
    }
    const left = new AbortController();
    const timer = window.setTimeout(async () => {
      try {
        const path = withQuery('/api/search', { q: text });
        const found = parseJson<SearchResults>(await requestJson(path, { signal: left.signal }));
        setSearch({ text, results: resultsOf(text, found, models), failure: undefined });
      } catch (error) {
        if (!left.signal.aborted) setSearch({ text, results: [], failure: messageOf(error) });
      }
    }, debounceMs);
    return () => {
      window.clearTimeout(timer);
      left.abort();
    };
  }, [text, models]);
  return search;
}

/** A search through all histories for an event id. */
export interface EventSearch {
  readonly state: 'idle' | 'running' | 'found' | 'ended' | 'stopped';
  /** The number of items in the instances table that have been read. */
  readonly itemsRead: number;
  readonly results: readonly SearchResult[];
  readonly failure: string | undefined;
  readonly start: () => void;
  readonly stop: () => void;
}

const idle = { state: 'idle', itemsRead: 0, results: [], failure: undefined } as const;

/**
 * When the user starts the search, searches the histories of all instances for an event id, some of them in each
 * request.
 */
export function useEventSearch(id: string): EventSearch {
  const [shown, setShown] = useState<Omit<EventSearch, 'start' | 'stop'>>(idle);
  const running = useRef<AbortController>(undefined);
  const stop = () => {
    running.current?.abort();
    setShown((before) => ({ ...before, state: 'stopped' }));
  };
  useEffect(() => {
    setShown(idle);
    return () => running.current?.abort();
  }, [id]);
  const start = async () => {
    const { signal } = (running.current = new AbortController());
    setShown({ ...idle, state: 'running' });
    try {
      let itemsRead = 0;
      for (let cursor: string | undefined, isLast = false; !isLast; ) {
        const path = withQuery('/api/search/events', { id, cursor });
        const part = parseJson<FoundEvents>(await requestJson(path, { signal }));
        itemsRead += part.itemsRead;
        ({ cursor } = part);
        const results = eventResults(part);
        isLast = cursor === undefined || results.length > 0;
        const last = results.length > 0 ? 'found' : 'ended';
        setShown({ state: isLast ? last : 'running', itemsRead, results, failure: undefined });
      }
    } catch (error) {
      if (!signal.aborted)
        setShown((before) => ({ ...before, state: 'stopped', failure: messageOf(error) }));
    }
  };
  return { ...shown, start: () => void start(), stop };
}

const messageOf = (error: unknown) =>
  error instanceof RequestError ? error.message : String(error);
