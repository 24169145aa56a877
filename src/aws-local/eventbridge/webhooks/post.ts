import { messageOf } from '../../../common/message-of.ts';

/** A request to a webhook. */
export interface WebhookRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a request. Returns the reason for a failure, or undefined on success. */
export type Post = (
  url: string,
  request: WebhookRequest,
  signal: AbortSignal,
) => Promise<string | undefined>;

/**
 * Sends a POST request, which succeeds only with a 2xx status. Does not follow redirects, and ignores the response
 * body.
 */
export const httpPost: Post = async (url, { headers, body }, signal) => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal,
    });
    await response.body?.cancel().catch(() => undefined);
    return response.ok ? undefined : `it returned status ${response.status}`;
  } catch (error) {
    // `fetch` throws a generic error, whose cause contains the reason.
    return messageOf((error as Error).cause ?? error);
  }
};
