import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { parseJson } from '../../src/core/json/parse-json.ts';
import { areUpdatesHeld, onUpdatesReleased } from './hold-updates.ts';
import { RequestError } from './request-error.ts';
import { requestJson } from './request-json.ts';
import { serviceNow } from './service-clock.ts';

/** A response from the API that is kept up to date. */
export interface Live<Body> {
  /** The latest response; undefined until the first one arrives. */
  readonly body: Body | undefined;
  /** True if the body is the response for the previous path. */
  readonly stale: boolean;
  /**
   * The error of the latest request; undefined if it succeeded. An error does not remove the body of an earlier
   * response.
   */
  readonly failure: RequestError | undefined;
  /** Returns when the latest response arrived, in milliseconds since 1970, or undefined if none has arrived. */
  readonly loadedAt: () => number | undefined;
  /** Sends a request immediately instead of at the next poll. */
  readonly refresh: () => void;
}

/**
 * How long to wait before a request that failed temporarily is sent again, in milliseconds, unless the polling interval
 * is shorter.
 */
const retryMs = 5000;

interface Shown {
  readonly path: string;
  readonly text: string;
  readonly body: unknown;
  readonly failure: RequestError | undefined;
}

/** Recent responses so that a page appears immediately when the user returns to it. */
const known = new Map<string, Shown>();
const knownAtMost = 20;
/**
 * When the latest response for each path arrived. These times are not in the state, because an unchanged response must
 * not render the page again.
 */
const loadedAt = new Map<string, number>();

/**
 * Fetches a response, and polls for changes while the page is visible and no dialog holds back updates. If a request
 * fails temporarily, sends it again after a few seconds.
 *
 * @param path the path to fetch; undefined to fetch nothing.
 * @param everyMs the polling interval in milliseconds; undefined to stop after the first request that succeeds or fails
 *   permanently.
 */
export function useLive<Body>(path: string | undefined, everyMs?: number): Live<Body> {
  const [shown, setShown] = useState(() => known.get(path ?? ''));
  const refresh = useRef(() => {});

  useEffect(() => {
    if (path === undefined) return;
    const left = new AbortController();
    let timer = 0;
    let requestsBegun = 0;
    /** The number of the request whose result was shown last. */
    let latestShown = 0;
    /** True if a request was skipped or its result ignored because updates were held back. */
    let isDue = false;
    const show = (next: Shown) => {
      remember(next);
      setShown(next);
    };
    const load = async (isAsked = false) => {
      window.clearTimeout(timer);
      isDue = !isAsked && areUpdatesHeld();
      if (isDue) return;
      const began = performance.now();
      const nth = ++requestsBegun;
      try {
        const text = await requestJson(path, { signal: left.signal });
        isDue = !isAsked && areUpdatesHeld();
        if (isDue) return;
        // A slow response must not replace the response to a later request, for example after an action.
        if (nth < latestShown) return;
        latestShown = nth;
        loadedAt.set(path, serviceNow());
        const before = known.get(path);
        // Set the same object if nothing changed so that the page does not render again.
        if (before?.text === text && !before.failure) setShown(before);
        else show({ path, text, body: parseJson(text), failure: undefined });
      } catch (error) {
        if (left.signal.aborted || nth < latestShown) return;
        latestShown = nth;
        const failure = error instanceof RequestError ? error : new RequestError(0, String(error));
        const { text = '', body } = known.get(path) ?? {};
        show({ path, text, body, failure });
      }
      const next = nextAfter(known.get(path)?.failure, everyMs);
      if (next !== undefined && !document.hidden && !left.signal.aborted)
        timer = window.setTimeout(() => void load(), pauseAfter(performance.now() - began, next));
    };
    const seen = () => {
      if (document.hidden) window.clearTimeout(timer);
      else if (nextAfter(known.get(path)?.failure, everyMs) !== undefined) void load();
    };
    const before = known.get(path);
    if (before) setShown(before);
    refresh.current = () => void load(true);
    const release = onUpdatesReleased(() => {
      if (isDue) void load();
    });
    document.addEventListener('visibilitychange', seen);
    void load();
    return () => {
      left.abort();
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', seen);
      release();
    };
  }, [path, everyMs]);

  return {
    body: shown?.body as Body | undefined,
    stale: shown !== undefined && shown.path !== path,
    failure: shown?.path === path ? shown?.failure : undefined,
    loadedAt: useCallback(() => loadedAt.get(path ?? ''), [path]),
    refresh: () => refresh.current(),
  };
}

/** Returns the delay after which the next request is due, or undefined if none is due. */
function nextAfter(
  failure: RequestError | undefined,
  everyMs: number | undefined,
): number | undefined {
  return failure?.isTemporary ? Math.min(retryMs, everyMs ?? retryMs) : everyMs;
}

/**
 * Returns the delay before the next request. If responses are slow, polls less often, to limit the load on the service.
 */
const pauseAfter = (took: number, everyMs: number) => Math.max(everyMs, 2 * took);

function remember(answer: Shown): void {
  known.delete(answer.path);
  known.set(answer.path, answer);
  const [oldest] = known.keys();
  if (known.size <= knownAtMost || oldest === undefined) return;
  known.delete(oldest);
  loadedAt.delete(oldest);
}
