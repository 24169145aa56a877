import { isUtf8 } from 'node:buffer';
import { messageOf } from '../../common/message-of.ts';
import { LambdaApiError } from './lambda-api-error.ts';
import { requestLimitBytes } from './limits.ts';

/** @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html#lambda-Invoke-request-InvocationType */
export type InvocationType = 'RequestResponse' | 'Event' | 'DryRun';

/** Validates the invocation type of a request. @throws {LambdaApiError} `ValidationException`. */
export function invocationTypeOf(text = 'RequestResponse'): InvocationType {
  if (text === 'RequestResponse' || text === 'Event' || text === 'DryRun') return text;
  throw new LambdaApiError(
    'ValidationException',
    `1 validation error detected: Value '${text}' at 'invocationType' failed to satisfy constraint: Member must satisfy enum value set: [Event, RequestResponse, DryRun]`,
  );
}

/**
 * Decodes the payload as text. An empty payload becomes `{}`.
 *
 * @throws {LambdaApiError} `RequestEntityTooLargeException`, or `InvalidRequestContentException` if the payload is not
 * UTF-8.
 */
export function payloadText(payload: Uint8Array | string, type: InvocationType): string {
  const bytes = Buffer.byteLength(payload);
  if (type === 'Event' && bytes > requestLimitBytes.Event) {
    throw new LambdaApiError(
      'RequestEntityTooLargeException',
      `${bytes} byte payload is too large for the Event invocation type (limit ${requestLimitBytes.Event} bytes)`,
    );
  }
  if (bytes > requestLimitBytes.RequestResponse) {
    throw new LambdaApiError(
      'RequestEntityTooLargeException',
      `Request must be smaller than ${requestLimitBytes.RequestResponse} bytes for the InvokeFunction operation`,
    );
  }
  if (bytes === 0) return '{}';
  if (typeof payload === 'string') return payload;
  if (!isUtf8(payload)) throw notJson('Invalid UTF-8');
  return Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString();
}

/**
 * Returns the text if it is valid JSON.
 *
 * @throws {LambdaApiError} `InvalidRequestContentException`.
 */
export function jsonOf(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch (error) {
    throw notJson(messageOf(error));
  }
}

function notJson(why: string): LambdaApiError {
  return new LambdaApiError(
    'InvalidRequestContentException',
    `Could not parse request body into json: Could not parse payload into json: ${why}`,
  );
}
