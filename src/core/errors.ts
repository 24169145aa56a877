/** What went wrong, in a word that programs can compare. */
export type ErrorCode =
  /** The text is not JSON. */
  | 'not-json'
  /** A number in the text cannot be held exactly by a JavaScript number. */
  | 'inexact-number'
  /** A key that JavaScript gives a meaning of its own: `__proto__`. */
  | 'forbidden-key'
  /** Arrays and objects in the text are nested deeper than is taken. */
  | 'too-deep'
  /** A model is declared wrongly: found when it is defined, deployed, registered or started. */
  | 'bad-model'
  /** A model's code threw, or returned what a model must not return. */
  | 'model-fault'
  /** A request to a Lambda, an option of a construct or an argument of a command is not valid. */
  | 'bad-request'
  /** A service that Milepost depends on is throttled or unavailable for now. */
  | 'busy'
  /** A commit does not fit into one DynamoDB item. */
  | 'too-large'
  /** A secret in Secrets Manager does not hold what Milepost keeps there. */
  | 'bad-secret'
  /**
   * Other writers changed the same item before each of five attempts to write it: the versions of a model
   * while one is registered, or a commit while personal data is removed from it. A later call may succeed.
   */
  | 'contention';

/**
 * Every error that Milepost itself throws. `cause` holds what it came from.
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
  /** What went wrong, for programs. */
  readonly code: ErrorCode;

  /**
   * @param code what went wrong, for programs.
   * @param message what went wrong, for people.
   * @param options an optional cause.
   * @param options.cause the error or value that led to this error.
   */
  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'MilepostError';
    this.code = code;
  }
}

/** True for what may go well a little later: a service of AWS is asked too much for now. */
export const isBusy = (thrown: unknown): boolean =>
  (thrown as { code?: unknown } | undefined)?.code === 'busy';

/**
 * True for an error that the same call meets again, however often it is made: AWS refuses the request
 * itself, the item is too large, or stored data cannot be read.
 */
export function isPermanent(thrown: unknown): boolean {
  const code = (thrown as { code?: unknown } | undefined)?.code;
  return code === 'permanent' || code === 'too-large' || thrown instanceof TypeError;
}
