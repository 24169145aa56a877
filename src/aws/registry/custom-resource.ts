import { type Clock, systemClock } from '../../common/clock.ts';
import { messageOf } from '../../common/message-of.ts';
import { retry } from '../../common/retry.ts';

/** What CloudFormation sends to a custom resource's Lambda, as far as it is used here. */
export interface CustomResourceRequest {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  readonly ResponseURL: string;
  readonly StackId: string;
  readonly RequestId: string;
  readonly LogicalResourceId: string;
  readonly PhysicalResourceId?: string;
  readonly ResourceProperties: Readonly<Record<string, unknown>>;
}

/** How long to work, and by which clock to wait between tries to send the answer. */
export interface AnswerOptions {
  /** Milliseconds until the work counts as failed; leave enough to send the answer after it. */
  readonly timeout: number;
  readonly clock?: Clock;
}

const sendAttempts = 4;
const betweenSends = 1_000;
// CloudFormation takes answers of up to 4096 bytes; ids and ARNs need at most a few hundred of them
// and a UTF-16 unit at most 6 bytes once it is JSON.
const maximumReason = 400;

/**
 * Does a custom resource's work and tells CloudFormation how it ended, whatever happens: without an
 * answer a deployment hangs until the resource's timeout. `work` returns the physical id.
 *
 * @throws the last failure to send the answer, so that Lambda runs the whole request again
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/crpg-ref-responses.html
 */
export async function answerCustomResource(
  request: CustomResourceRequest,
  work: (request: CustomResourceRequest, signal: AbortSignal) => Promise<string>,
  { timeout, clock = systemClock }: AnswerOptions,
): Promise<void> {
  const signal = AbortSignal.timeout(Math.max(timeout, 0));
  const outcome = await Promise.race([work(request, signal), rejectWhenAborted(signal)]).then(
    (physicalId) => ({ Status: 'SUCCESS', PhysicalResourceId: physicalId }),
    (thrown: unknown) => ({
      Status: 'FAILED',
      Reason: messageOf(thrown).slice(0, maximumReason),
      // Another physical id than before would make CloudFormation delete what it had before.
      PhysicalResourceId: request.PhysicalResourceId ?? request.LogicalResourceId,
    }),
  );
  const { StackId, RequestId, LogicalResourceId } = request;
  const body = JSON.stringify({ ...outcome, StackId, RequestId, LogicalResourceId });
  const patience = { attempts: sendAttempts, pauseAfter: () => betweenSends, clock };
  await retry(() => send(request.ResponseURL, body), patience);
}

function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = () => reject(new Error('the model was not registered within the time allowed'));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

async function send(url: string, body: string): Promise<void> {
  // The address is signed for an empty content type.
  const response = await fetch(url, { method: 'PUT', body, headers: { 'content-type': '' } });
  if (!response.ok) throw new Error(`CloudFormation's answer address said ${response.status}`);
}
