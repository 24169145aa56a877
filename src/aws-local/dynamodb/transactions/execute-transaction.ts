import type { Store } from 'dynalite/db/index.js';
import type { Clock } from '../../../common/clock.ts';
import { operations, type Rules, validate } from '../dynalite-operations.ts';
import { validationError } from '../dynamodb-error.ts';
import type { JsonOperation } from '../json-operations.ts';
import { type BoundSelect, select } from '../partiql/bound-select.ts';
import {
  type Prepared,
  prepare,
  type StatementRequest,
  supportedStatement,
  validStatements,
} from '../partiql/prepare-statement.ts';
import { statementTypes } from '../partiql/statement-operations.ts';
import type { ItemWrite } from '../write-items.ts';
import { prepareActions } from './cancellation.ts';
import { consumedCapacity, readConsumption } from './consumed-capacity.ts';
import { idempotentRequest } from './idempotent-request.ts';
import { readAll } from './read-all.ts';
import { actionList, commonTypes, payloadProblem } from './transaction-rules.ts';
import { writeAll } from './write-all.ts';

interface TransactionStatement extends StatementRequest {
  readonly ReturnValuesOnConditionCheckFailure?: 'ALL_OLD' | 'NONE';
}

interface ExecuteTransactionRequest {
  readonly TransactStatements: readonly TransactionStatement[];
  readonly ClientRequestToken?: string;
  readonly ReturnConsumedCapacity?: string;
}

/**
 * Returns the implementation of `ExecuteTransaction`, whose statements must either all read or all write.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ExecuteTransaction.html
 */
export function executeTransaction(store: Store, clock: Pick<Clock, 'now'>): JsonOperation {
  const rules = requestRules();
  return async (request) => {
    const given = request as ExecuteTransactionRequest;
    const { ClientRequestToken: token, ReturnConsumedCapacity: level } = given;
    const { TransactStatements } = validate(store, rules, given);
    const idempotent = idempotentRequest(store, clock, token, given.TransactStatements);
    const isRead = areReads(TransactStatements);
    const statements = validStatements(store, TransactStatements);
    const problem = payloadProblem(
      statements.map((one) => Object.fromEntries(one.parameters.entries())),
    );
    if (problem !== undefined) throw validationError(problem);
    const prepared = await prepareActions(statements, (statement) => prepare(store, statement));
    if (isRead) return readStatements(store, prepared, level);
    const writes = prepared.map(({ action, ...address }, n) => {
      const { ReturnValuesOnConditionCheckFailure: returned } = TransactStatements[n]!;
      return {
        ...address,
        change: action as ItemWrite['change'],
        returnsItem: returned === 'ALL_OLD',
      };
    });
    const consumption = await writeAll(store, writes, idempotent);
    return { Responses: prepared.map(() => ({})), ...consumedCapacity(level, consumption) };
  };
}

/** Returns true if all statements read, or false if all write. Throws a `ResponseError` for any other transaction. */
function areReads(statements: readonly TransactionStatement[]): boolean {
  const reads = statements.filter(
    ({ Statement }) => supportedStatement(Statement).kind === 'select',
  );
  if (reads.length === 0 || reads.length === statements.length) return reads.length > 0;
  throw validationError(
    'ExecuteTransaction API does not support both read and write operations in the same request.',
  );
}

async function readStatements(
  store: Store,
  prepared: readonly Prepared[],
  level: string | undefined,
): Promise<object> {
  const items = await readAll(store, prepared);
  return {
    Responses: items.map((item, n) => {
      const Item = select(item, prepared[n]!.action as BoundSelect);
      return Item ? { Item } : {};
    }),
    ...consumedCapacity(level, readConsumption(prepared, items)),
  };
}

function requestRules(): Rules {
  const statement = {
    ...statementTypes,
    ReturnValuesOnConditionCheckFailure:
      operations.PutItem.rules.types['ReturnValuesOnConditionCheckFailure']!,
  };
  return {
    types: { ...commonTypes(), TransactStatements: actionList(statement) },
    custom: () => undefined,
  };
}
