import { messageOf } from '../../common/message-of.ts';
import { MilepostError } from '../errors.ts';
import type { Model } from './model.ts';

/** A failed call of a function of a model: which function, and as its cause the error that it threw. */
class ModelCallError extends Error {
  readonly part: string;

  constructor(part: string, cause: unknown) {
    super(messageOf(cause), { cause });
    this.name = 'PartFault';
    this.part = part;
  }
}

/**
 * A fault in the answer of a model function in another language, or one that it reported: see
 * docs/reference/model-function-protocol.md.
 */
export class RemoteModelFault extends TypeError {
  /** The position in its code, `loan.py:42 in transition`, where it reported one. */
  readonly place: string | undefined;

  constructor(message: string, place?: string) {
    super(message);
    this.place = place;
  }
}

/**
 * Calls a function of a model. Every call of a model's code goes through here, so that a fault names the
 * function that failed.
 *
 * @param part the function, `describe`; of nested calls the innermost one is named.
 * @throws an error that `toModelFault` reads; TypeError where the function returned a promise.
 */
export function callModel<Value>(part: string, call: () => Value | Promise<Value>): Value {
  let value: Value | Promise<Value>;
  try {
    value = call();
  } catch (thrown) {
    throw thrown instanceof ModelCallError ? thrown : new ModelCallError(part, thrown);
  }
  if (!(value instanceof Promise)) return value;
  // Nobody waits for it, and a rejection that nobody handles would end the process.
  value.catch(() => undefined);
  throw new TypeError(`${part} must not be asynchronous`);
}

/** A failure of a model's code. `cause` is the error that the code threw. */
export class ModelFault extends MilepostError {
  /** The reason alone, without the model and the event. */
  readonly reason: string;
  /** Where the code is a function in another language, the position that it reported. */
  readonly place: string | undefined;

  constructor(message: string, fault: Pick<ModelFault, 'reason' | 'place' | 'cause'>) {
    super('model-fault', message, { cause: fault.cause });
    this.reason = fault.reason;
    this.place = fault.place;
  }
}

/** The functions that the words of a fault name already: by the event, or by the versions. */
const namedAlready = new Set(['transition', 'migrate']);

/**
 * A failure of a model's code.
 *
 * @param what what it was called for: `on order.paid e1`.
 */
export function toModelFault(model: Model, what: string, thrown: unknown): ModelFault {
  const isOfPart = thrown instanceof ModelCallError;
  const cause = isOfPart ? thrown.cause : thrown;
  // The error may quote the data that it was thrown over.
  const reason = model.sensitive ? errorName(cause) : messageOf(cause);
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

const errorName = (thrown: unknown) => (thrown instanceof Error ? thrown.name : 'what is no error');
