import { messageOf } from '../../../common/message-of.ts';

/** A request to a webhook. */
export interface WebhookRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a request; the answer is why it was not taken, or undefined when it was. */
export type Post = (
  url: string,
  request: WebhookRequest,
  signal: AbortSignal,
) => Promise<string | undefined>;

/** Posts by HTTP. Only 2xx is success: a redirect is not followed, and what the answer says is not read. */
export const httpPost: Post = async (url, { headers, body }, signal) => {
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    await answer.body?.cancel().catch(() => undefined);
    return answer.ok ? undefined : `it answered ${answer.status}`;
  } catch (error) {
    // What fetch throws says only that it failed; its cause says why.
    return messageOf((error as Error).cause ?? error);
  }
};
