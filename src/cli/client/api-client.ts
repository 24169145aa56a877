import * as v from 'valibot';
import { escapeControls } from '../../common/escape.ts';
import { isJson } from '../../common/is-json.ts';
import { issueText } from '../../common/schema-issues.ts';
import { parseJson } from '../../core/json/parse-json.ts';
import type { CliContext } from '../context.ts';
import { backoff, delayBefore, isBusyStatus } from './retry-delay.ts';
import { unreachableMessage } from './unreachable-message.ts';

/** The error thrown when an API call fails, with a one-line message for users. */
export class ApiError extends Error {
  /**
   * `unreachable`: the service sent no complete response; `refused`: it returned an error; `unexpected`: the response
   * does not have the format of Milepost's API.
   */
  readonly code: 'unreachable' | 'refused' | 'unexpected';
  /** The HTTP status; undefined without a response, or if a successful response does not have the expected format. */
  readonly status: number | undefined;
  /** The events that the service reported as invalid; empty if it reported none. */
  readonly refusals: readonly EventRefusal[];

  constructor(
    code: ApiError['code'],
    message: string,
    more: { cause?: unknown; status?: number; refusals?: readonly EventRefusal[] } = {},
  ) {
    super(escapeControls(message), { cause: more.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = more.status;
    this.refusals = more.refusals ?? [];
  }
}

/** Returns the message of an error, with the remedy if the service denied access. */
export const messageWithRemedy = ({ message, status }: ApiError): string =>
  status === 401 ? `${message}; set MILEPOST_TOKEN to a valid token` : message;

/** Returns true if the same request may succeed later. */
export const isTemporary = ({ code, status = 0 }: ApiError): boolean =>
  code === 'unreachable' || status === 429 || status >= 500;

/** An event that the service rejected, by its index among the sent events. */
export interface EventRefusal {
  readonly index: number;
  readonly detail: string;
}

/** A response from the service. */
export interface ApiResponse {
  readonly text: string;
  /** The ETag of the response, for conditional requests; undefined if it has none. */
  readonly etag: string | undefined;
  /** Parses the text. Throws `ApiError` (`unexpected`) if the text does not match the schema. */
  read<T>(schema: v.GenericSchema<unknown, T>): T;
  /** Checks that the response has no content. Throws `ApiError` (`unexpected`) if it does. */
  readEmpty(): void;
}

/**
 * A client for the HTTP API. Paths are relative to `/api`. All methods throw `ApiError` or, if the client's signal is
 * aborted, the reason of the signal.
 */
export interface ApiClient {
  get(path: string, query?: Query): Promise<ApiResponse>;
  /** Returns undefined if the resource still has the given ETag (RFC 9110, section 13.1.2). */
  getIfChanged(path: string, etag: string | undefined): Promise<ApiResponse | undefined>;
  post(
    path: string,
    more?: { readonly body?: string; readonly query?: Query },
  ): Promise<ApiResponse>;
  delete(path: string): Promise<ApiResponse>;
}

/** The query parameters of a request. Parameters whose value is undefined are omitted. */
export type Query = Readonly<Record<string, string | undefined>>;

/** The timeouts and retries of a client. */
export interface ApiClientOptions {
  /** Aborts all calls in progress and prevents later calls. */
  readonly signal?: AbortSignal;
  /** The timeout of one request, in milliseconds; default: one minute. */
  readonly timeoutMs?: number;
  /** The maximum number of requests that one call sends, including retries; default: four. */
  readonly attempts?: number;
}

const notModified = 304;

const busy = 'the service is busy; try again later';

interface ConditionalResponse extends ApiResponse {
  readonly isChanged: boolean;
}

const problemSchema = v.object({
  title: v.optional(v.string()),
  detail: v.optional(v.string()),
  // If API Gateway itself returns an error, the response contains only this member.
  message: v.optional(v.string()),
  errors: v.fallback(v.array(v.object({ index: v.number(), detail: v.string() })), []),
});

/**
 * Creates a client for the service at `base`. After a 429 or 503 response, the client retries the request, by default
 * up to three times. The client waits for the delay in `Retry-After` (RFC 9110, section 10.2.3) or, without this
 * header, for 0.5, 1, and 2 s. It does not retry if `Retry-After` exceeds one minute. Once a request has
 * succeeded, the client also retries reads that fail because of the network or a proxy so that one lost connection
 * does not end a long export.
 */
export function createApiClient(
  base: string,
  { fetch, wait }: Pick<CliContext, 'fetch' | 'wait'>,
  { signal, timeoutMs: answerWithinMs = 60_000, attempts = 4 }: ApiClientOptions = {},
): ApiClient {
  let hasResponded = false;

  async function call(path: string, init: RequestInit): Promise<ConditionalResponse> {
    const isRead = init.method === undefined;
    for (let attempt = 1; ; attempt++) {
      const mayRetry = attempt < attempts;
      try {
        const { response, text } = await send(`${base}/api${path}`, init);
        if (response.ok || response.status === notModified) {
          hasResponded = true;
          return answer(response, text);
        }
        const again = mayRetry ? delayBefore(attempt, response, isRead && hasResponded) : undefined;
        if (again === undefined) throw refusal(response, text);
        await wait(again, undefined, { signal });
      } catch (error) {
        const isLost = error instanceof ApiError && error.code === 'unreachable';
        if (!(isLost && mayRetry && isRead && hasResponded)) throw error;
        await wait(backoff(attempt), undefined, { signal }).catch(() => undefined);
        // The lost connection explains the failure better than the signal's reason does.
        if (signal?.aborted) throw error;
      }
    }
  }

  async function send(url: string, init: RequestInit) {
    try {
      const tooLate = AbortSignal.timeout(answerWithinMs);
      const ended = signal ? AbortSignal.any([signal, tooLate]) : tooLate;
      // A redirect can change a POST request to GET, so redirects of writes are reported, not followed.
      const redirect = init.method === undefined ? 'follow' : 'manual';
      const response = await fetch(url, { ...init, redirect, signal: ended });
      return { response, text: await response.text() };
    } catch (error) {
      signal?.throwIfAborted();
      throw new ApiError('unreachable', unreachableMessage(base, error, answerWithinMs), {
        cause: error,
      });
    }
  }

  function answer({ status, headers }: Response, text: string): ConditionalResponse {
    return {
      text,
      etag: headers.get('etag') ?? undefined,
      isChanged: status !== notModified,
      read(schema) {
        const result = v.safeParse(schema, parsed(text, 'a response'));
        if (result.success) return result.output;
        throw unexpected(`an unexpected response (${issueText(result.issues[0])})`);
      },
      readEmpty() {
        if (text !== '') throw unexpected('an unexpected response (content instead of none)');
      },
    };
  }

  function refusal({ status, statusText, headers }: Response, text: string): ApiError {
    const location = headers.get('location');
    if (status >= 300 && status < 400 && location !== null)
      return new ApiError(
        'unexpected',
        `${base} redirects to ${location}; set --api or MILEPOST_API to the new address`,
        { status },
      );
    // A busy response without JSON comes from a load balancer, not from Milepost.
    const isOfProxy = isBusyStatus(status) && !isJson(text);
    const problem = v.safeParse(
      problemSchema,
      isOfProxy ? {} : parsed(text, `status ${status} with a response`, status),
    );
    if (!problem.success) return unexpected(`status ${status} without a reason`, status);
    const { title, detail, message, errors } = problem.output;
    const said = errors.map((error) => error.detail).join('; ') || detail;
    const reason = said || (isBusyStatus(status) ? busy : message || title || statusText);
    // Milepost names the missing route; API Gateway responds without a detail.
    const hasRoute = status !== 404 || (said && !said.startsWith('there is no route'));
    const remedy =
      hasRoute || !base.endsWith('/api')
        ? ''
        : '; omit /api at the end of --api or MILEPOST_API, because the CLI adds it';
    return new ApiError('refused', `${reason} (${status})${remedy}`, { status, refusals: errors });
  }

  function parsed(text: string, what: string, status?: number): unknown {
    try {
      return parseJson(text);
    } catch (error) {
      throw unexpected(`${what} that is not JSON`, status, error);
    }
  }

  function unexpected(what: string, status?: number, cause?: unknown): ApiError {
    return new ApiError('unexpected', `${base} returned ${what}; is it Milepost?`, {
      status,
      cause,
    });
  }

  return {
    get: (path, query = {}) => call(path + queryString(query), {}),
    async getIfChanged(path, etag) {
      const answer = await call(path, etag ? { headers: { 'if-none-match': etag } } : {});
      return answer.isChanged ? answer : undefined;
    },
    post: (path, { body, query = {} } = {}) =>
      call(path + queryString(query), {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      }),
    delete: (path) => call(path, { method: 'DELETE' }),
  };
}

function queryString(query: Query): string {
  const given = Object.entries(query).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
