import { type Clock, systemClock } from '../../common/clock.ts';
import { messageOf } from '../../common/message-of.ts';
import { retry } from '../../common/retry.ts';

/** A CloudFormation request to a custom resource's Lambda function, reduced to the fields that the function uses. */
export interface CustomResourceRequest {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  readonly ResponseURL: string;
  readonly StackId: string;
  readonly RequestId: string;
  readonly LogicalResourceId: string;
  readonly PhysicalResourceId?: string;
  readonly ResourceProperties: Readonly<Record<string, unknown>>;
}

/** A request with the time when CloudFormation sent it, in milliseconds since 1970; undefined if unknown. */
export type TimedRequest = CustomResourceRequest & { readonly requestedAt: number | undefined };

/**
 * The time limits for the work and the response, and the clock that measures the delays between attempts to respond.
 */
export interface AnswerOptions {
  /** How long the work can take, in milliseconds. This limit must leave enough time to send the response. */
  readonly timeout: number;
  /** How long an attempt to send the response can take, in milliseconds. Default: 2,500. */
  readonly sendTimeout?: number;
  readonly clock?: Clock;
}

// All attempts together take up to 13 seconds.
const sendAttempts = 4;
const betweenSends = 1_000;
const defaultSendTimeout = 2_500;
// CloudFormation accepts responses of up to 4,096 bytes. Ids and ARNs use a few hundred bytes, and each UTF-16 code
// unit uses up to 6 bytes in JSON.
const maximumReason = 400;

/**
 * Runs a custom resource's work and reports the result to CloudFormation, whether the work succeeds or fails. Without a
 * response, a deployment would hang until the resource's timeout. `work` returns the physical id.
 *
 * @throws the last error if the response could not be sent. Lambda then retries the whole request.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/crpg-ref-responses.html
 */
export async function answerCustomResource(
  request: CustomResourceRequest,
  work: (request: TimedRequest, signal: AbortSignal) => Promise<string>,
  { timeout, sendTimeout = defaultSendTimeout, clock = systemClock }: AnswerOptions,
): Promise<void> {
  const signal = AbortSignal.timeout(Math.max(timeout, 0));
  const timed = { ...request, requestedAt: signedAt(request.ResponseURL) };
  const outcome = await Promise.race([work(timed, signal), rejectWhenAborted(signal)]).then(
    (physicalId) => ({ Status: 'SUCCESS', PhysicalResourceId: physicalId }),
    (thrown: unknown) => ({
      Status: 'FAILED',
      Reason: messageOf(thrown).slice(0, maximumReason),
      // With a different physical id, CloudFormation would delete the previous resource.
      PhysicalResourceId: request.PhysicalResourceId ?? request.LogicalResourceId,
    }),
  );
  const { StackId, RequestId, LogicalResourceId } = request;
  const body = JSON.stringify({ ...outcome, StackId, RequestId, LogicalResourceId });
  const patience = { attempts: sendAttempts, pauseAfter: () => betweenSends, clock };
  await retry(() => send(request.ResponseURL, body, sendTimeout), patience);
}

/**
 * Returns when CloudFormation signed a response URL, in milliseconds since 1970. It signs a new URL for each request, and
 * a request contains no other time. Returns undefined if the URL is not signed, as on emulators of AWS.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */
function signedAt(url: string): number | undefined {
  const date = new URL(url).searchParams.get('X-Amz-Date') ?? '';
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? undefined : time;
}

function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = () =>
      reject(new Error('the registry was not updated before the timeout; deploy again'));
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

async function send(url: string, body: string, timeout: number): Promise<void> {
  const response = await fetch(url, {
    method: 'PUT',
    body,
    // The URL is signed for an empty content type.
    headers: { 'content-type': '' },
    signal: AbortSignal.timeout(timeout),
  });
  if (!response.ok)
    throw new Error(`CloudFormation's response URL returned status ${response.status}`);
}
