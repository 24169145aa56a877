import { types } from 'node:util';
import { messageOf } from '../../common/message-of.ts';
import { MilepostError } from '../errors.ts';
import { storedReason } from '../history/reason.ts';
import type { Model } from './model.ts';

/**
 * The error thrown when a model's function throws. It adds the name of the function; `cause` is the original
 * error.
 */
class ModelCallError extends Error {
  readonly part: string;

  constructor(part: string, cause: unknown) {
    super(messageOf(cause), { cause });
    this.name = 'ModelCallError';
    this.part = part;
  }
}

/**
 * The error thrown when a model returns an invalid value. The message quotes no value, so users see it even if the
 * model has sensitive fields.
 */
export class InvalidResultError extends TypeError {}

/**
 * The error thrown when a model function in another language reports a fault or returns an invalid response: see
 * docs/reference/model-function-protocol.md.
 */
export class RemoteModelFault extends TypeError {
  /** The position in the function's code, such as `loan.py:42 in transition`, if the function reported one. */
  readonly place: string | undefined;

  constructor(message: string, place?: string) {
    super(message);
    this.place = place;
  }
}

/**
 * Calls one of a model's functions. Milepost calls all of a model's code through this function so that a fault names
 * the function that failed.
 *
 * @param part the name of the function, such as `describe`. For nested calls, the error names the innermost function.
 * @throws an error that `toModelFault` converts; InvalidResultError if the function returned a promise.
 */
export function callModel<Value>(part: string, call: () => Value | Promise<Value>): Value {
  let value: Value | Promise<Value>;
  try {
    value = call();
  } catch (thrown) {
    throw thrown instanceof ModelCallError ? thrown : new ModelCallError(part, thrown);
  }
  if (!types.isPromise(value)) return value;
  // An unhandled rejection would crash the process.
  value.catch(() => undefined);
  throw new InvalidResultError(`${part} must not be asynchronous; it returned a promise`);
}

/** The error thrown when a model's code fails. `cause` is the original error. */
export class ModelFault extends MilepostError {
  /** The reason, without the names of the model and the event. */
  readonly reason: string;
  /**
   * The position in the code, if a model function in another language reported it; undefined if the model has sensitive
   * fields.
   */
  readonly place: string | undefined;

  constructor(message: string, fault: Pick<ModelFault, 'reason' | 'place' | 'cause'>) {
    super('model-fault', message, { cause: fault.cause });
    this.reason = fault.reason;
    this.place = fault.place;
  }
}

/** The functions that a fault's message does not name because it already names the event or the versions. */
const namedAlready = new Set(['transition', 'migrate']);

/**
 * Converts an error from a model's code to a `ModelFault`.
 *
 * @param what the part of the message that identifies the call, such as `on order.paid e1`.
 */
export function toModelFault(model: Model, what: string, thrown: unknown): ModelFault {
  const isOfPart = thrown instanceof ModelCallError;
  const cause = isOfPart ? thrown.cause : thrown;
  // Omit the message from the model's code because the message may quote personal data.
  const isPublic = !model.sensitive || cause instanceof InvalidResultError;
  // Truncate the message because it can quote megabytes of data, and every retry of the event would log it.
  const reason = isPublic ? storedReason(messageOf(cause)) : errorName(cause);
  const isNamed = !isOfPart || namedAlready.has(thrown.part) || cause instanceof RemoteModelFault;
  const part = isNamed ? undefined : thrown.part;
  return new ModelFault(
    `model ${model.id} failed ${what}${part === undefined ? '' : `, in ${part}`}: ${reason}`,
    {
      reason: part === undefined ? reason : `in ${part}: ${reason}`,
      place: cause instanceof RemoteModelFault && !model.sensitive ? cause.place : undefined,
      cause,
    },
  );
}

const errorName = (thrown: unknown) =>
  thrown instanceof Error ? thrown.name : 'a value that is not an Error';
