import type { CancellationReason } from '@aws-sdk/client-dynamodb';
import { DynamoDbError } from '../dynamodb-error.ts';
import { codeOf } from '../response-error.ts';

/**
 * The error thrown when a transaction is canceled, with one reason for each action.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html#API_TransactWriteItems_Errors
 */
class TransactionCanceled extends DynamoDbError {
  readonly #reasons: readonly CancellationReason[];

  constructor(reasons: readonly CancellationReason[]) {
    const codes = reasons.map(({ Code }) => Code).join(', ');
    super(
      'TransactionCanceledException',
      `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    );
    this.#reasons = reasons;
  }

  override get body() {
    const { __type, message: Message } = super.body;
    return { __type, Message, CancellationReasons: this.#reasons };
  }
}

/**
 * Prepares the actions of a transaction. If any actions are invalid, cancels the transaction and reports only the first
 * invalid action, as AWS does. Throws the error itself if it rejects the whole request, for example if a table does not
 * exist.
 */
export async function prepareActions<Action, Prepared>(
  actions: readonly Action[],
  prepare: (action: Action) => Promise<Prepared>,
): Promise<readonly Prepared[]> {
  const outcomes = await Promise.all(
    actions.map((action) => prepare(action).catch((error: Error) => error)),
  );
  const reasons = outcomes.map((outcome) =>
    outcome instanceof Error ? reasonOf(outcome) : undefined,
  );
  const first = reasons.findIndex((reason) => reason !== undefined);
  cancelIfNeeded(reasons.map((reason, n) => (n === first ? reason : undefined)));
  return outcomes as Prepared[];
}

/** Returns the reason why an action cancels its transaction, or throws the error if it rejects the whole request. */
export function reasonOf(error: unknown): CancellationReason {
  const Code = codeOf(error);
  const { message: Message } = error as Error;
  // AWS also rejects the whole request if a key is empty.
  const isOfRequest = Code === 'ResourceNotFound' || /cannot contain an empty/.test(Message);
  if (Code === undefined || isOfRequest) throw error;
  return { Code, Message };
}

/** Throws `TransactionCanceled` if at least one action has a reason to cancel the transaction. */
export function cancelIfNeeded(reasons: readonly (CancellationReason | undefined)[]): void {
  if (reasons.every((reason) => reason === undefined)) return;
  throw new TransactionCanceled(reasons.map((reason) => reason ?? { Code: 'None' }));
}
