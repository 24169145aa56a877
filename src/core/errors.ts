/** The kind of an error, which programs can check. */
export type ErrorCode =
  /** The text is not JSON. */
  | 'not-json'
  /** A number in the text has no exact JavaScript representation. */
  | 'inexact-number'
  /** The text has the key `__proto__`, which has a special meaning in JavaScript. */
  | 'forbidden-key'
  /** Arrays and objects in the text are nested too deeply. */
  | 'too-deep'
  /**
   * The declaration of a model, a process, or a calendar is invalid, or a model cannot run with the options of its
   * deployment. The error occurs when a model is defined, deployed, registered, or started.
   */
  | 'bad-model'
  /** A model's code threw an error or returned an invalid value. */
  | 'model-fault'
  /**
   * A request to a Lambda function or an option of a construct is not valid, or a command lacks a valid argument, file,
   * or setting.
   */
  | 'bad-request'
  /** A service that Milepost depends on throttled a request or is temporarily unavailable. */
  | 'busy'
  /** A commit does not fit into one DynamoDB item. */
  | 'too-large'
  /** A secret in Secrets Manager has an unexpected format. */
  | 'bad-secret'
  /**
   * Other writers changed the same data during five attempts in a row, or an operator rolled a model back while a
   * deployment moved it to another resource. Such conflicts can affect counters, the number of parked events, the
   * registration of a model, and the removal of personal data from a history. A later call may succeed.
   */
  | 'contention';

/**
 * An error that Milepost throws. `cause` is the original error, if any.
 *
 * @example
 * try {
 *   defineProcess({ id: 'Not an id', milestones: [{ id: 'paid', label: 'Paid' }] });
 * } catch (error) {
 *   if (error instanceof MilepostError && error.code === 'bad-model') console.error(error.message);
 *   else throw error;
 * }
 */
export class MilepostError extends Error {
  /** The kind of the error, which programs can check. */
  readonly code: ErrorCode;

  /**
   * @param code the kind of the error, which programs can check.
   * @param message a description of the error, for people.
   * @param options optional details of the error.
   * @param options.cause the original error or thrown value.
   */
  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'MilepostError';
    this.code = code;
  }
}

const codeOf = (thrown: unknown) => (Object(thrown) as { code?: unknown }).code;

/** Returns true for the code `busy`: a service throttled a request or is temporarily unavailable. */
export const isBusy = (thrown: unknown): boolean => codeOf(thrown) === 'busy';

/** Returns true for the codes `busy` and `contention`: a later call may succeed. */
export const isRetryable = (thrown: unknown): boolean =>
  isBusy(thrown) || codeOf(thrown) === 'contention';

const outageStatuses = new Set([500, 502, 503, 504]);
const connectionErrors = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN']);

/**
 * Returns true if a service could not be reached, did not respond in time, or failed to process the request. A later
 * call may succeed.
 */
export function isOutage(thrown: unknown): boolean {
  const { status } = Object(thrown) as { status?: unknown };
  return connectionErrors.has(codeOf(thrown) as string) || outageStatuses.has(status as number);
}

/**
 * Returns true if retrying the same call cannot succeed: AWS rejects the request itself, the item is too large, or
 * stored data cannot be read.
 */
export function isPermanent(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return code === 'permanent' || code === 'too-large' || thrown instanceof TypeError;
}
