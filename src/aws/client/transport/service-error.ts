import { classifyFault, type FaultClass } from './fault-class.ts';
import type { HttpAnswer } from './http-message.ts';

/** The error thrown when an AWS service returns an error response. */
export class ServiceError extends Error {
  /** The class of the error, which indicates whether the same request can succeed later. */
  readonly code: FaultClass;
  readonly status: number;

  /** @param name the error's name in the service's API, such as `ConditionalCheckFailedException`. */
  constructor(name: string, message: string, status: number) {
    super(message);
    this.name = name;
    this.status = status;
    this.code = classifyFault(name, status);
  }
}

export function serviceErrorOf({ status, headers, body }: HttpAnswer): ServiceError {
  const said = parseObject(body);
  const type = firstText(headers['x-amzn-errortype'], said.__type, said.code);
  // Services send both "com.amazonaws.dynamodb.v20120810#Name" and "Name:http://internal...".
  const name = type?.replace(/^[^#]*#/, '').replace(/:.*/, '');
  const unnamed = name ? undefined : body.slice(0, 200);
  const message = firstText(said.message, said.Message, unnamed, `HTTP status ${status}`);
  return new ServiceError(name ?? 'UnknownError', message!, status);
}

/** Returns true if the error has the given name in a service's API. */
export const isServiceError = (error: unknown, name: string): boolean =>
  error instanceof Error && error.name === name;

/** Waits for a response. Returns undefined if the service responds that the resource does not exist. */
export async function undefinedIfMissing<Answer>(
  response: Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await response;
  } catch (error) {
    if (isServiceError(error, 'ResourceNotFoundException')) return undefined;
    throw error;
  }
}

const firstText = (...texts: unknown[]) =>
  texts.find((text): text is string => typeof text === 'string' && text !== '');

function parseObject(body: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(body)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
