import { messageOf } from '../../../common/message-of.ts';

/** A request to a webhook. */
export interface WebhookRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a request. Returns the reason of a failure, or undefined on success. */
export type Post = (
  url: string,
  request: WebhookRequest,
  signal: AbortSignal,
) => Promise<string | undefined>;

/** Sends a POST request. Only status 2xx is success: redirects are not followed, and the response body is ignored. */
export const httpPost: Post = async (url, { headers, body }, signal) => {
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    await answer.body?.cancel().catch(() => undefined);
    return answer.ok ? undefined : `it returned status ${answer.status}`;
  } catch (error) {
    // fetch's own error is generic; its cause has the reason.
    return messageOf((error as Error).cause ?? error);
  }
};
