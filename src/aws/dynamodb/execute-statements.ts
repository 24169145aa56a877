import type { AttributeValue, BatchStatementRequest } from '@aws-sdk/client-dynamodb';
import { inChunks } from '../../common/chunks.ts';
import { isPermanent } from '../../core/errors.ts';
import type { SettledResult } from '../../stores/settled-result.ts';
import type { DynamoDb } from '../client/dynamodb.ts';
import { ServiceError } from '../client/transport/service-error.ts';
import { answerForEach } from './answer-for-each.ts';
import { settleEach, settleRemaining } from './settle.ts';

/**
 * The maximum number of statements per request.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchExecuteStatement.html
 */
const maximumStatements = 25;

/** The result of a conditional write; `refused` if the condition failed. */
export type StatementResult = 'done' | 'refused';

const refusals = new Set<string | undefined>(['ConditionalCheckFailed', 'DuplicateItem']);

/**
 * Executes conditional writes in batches. Each statement writes one item, and no item may be written twice. A batch
 * consumes as many write units as individual requests, but takes a fraction of the time.
 */
export async function executeStatements(
  client: DynamoDb,
  statements: readonly BatchStatementRequest[],
): Promise<SettledResult<StatementResult>[]> {
  const batches = inChunks(statements, maximumStatements);
  const answers = await settleEach(batches, (batch) => execute(client, batch));
  const settled = await Promise.all(
    answers.map(async (answer, n) => {
      if ('value' in answer) return answer.value;
      const batch = batches[n]!;
      if (batch.length === 1 || !isPermanent(answer.error)) return batch.map(() => answer);
      // A single invalid statement makes the whole batch fail. If each statement is executed separately, only invalid
      // statements fail.
      return (await Promise.all(batch.map((each) => executeStatements(client, [each])))).flat();
    }),
  );
  return settled.flat();
}

async function execute(
  client: DynamoDb,
  Statements: BatchStatementRequest[],
): Promise<SettledResult<StatementResult>[]> {
  const { Responses } = await client.batchExecuteStatement({ Statements });
  const each = answerForEach('BatchExecuteStatement', Responses, Statements.length);
  return each.map(({ Error: failure }): SettledResult<StatementResult> => {
    if (!failure) return { value: 'done' };
    if (refusals.has(failure.Code)) return { value: 'refused' };
    return { error: new ServiceError(failure.Code!, `${failure.Code}: ${failure.Message}`, 400) };
  });
}

/** Builds a statement that inserts an item unless its key exists. */
export function insertStatement(
  table: string,
  item: Readonly<Record<string, NonNullable<BatchStatementRequest['Parameters']>[number]>>,
): BatchStatementRequest {
  const names = Object.keys(item).map((name) => `'${name}': ?`);
  return {
    Statement: `INSERT INTO "${table}" VALUE {${names.join(', ')}}`,
    Parameters: Object.values(item),
  };
}

/**
 * Deletes items in batches. Missing items are ignored.
 *
 * @param keys the keys of the items, without duplicates.
 * @throws the error of the first item that neither a batch nor a single request could delete.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.delete.html
 */
export async function deleteAll(
  client: DynamoDb,
  table: string,
  keys: readonly { readonly pk: AttributeValue; readonly sk: AttributeValue }[],
): Promise<void> {
  const statements = keys.map(({ pk, sk }) => ({
    Statement: `DELETE FROM "${table}" WHERE "pk" = ? AND "sk" = ?`,
    Parameters: [pk, sk],
  }));
  // A single key needs neither a batch nor the permission for batches.
  const answers = keys.length > 1 ? await executeStatements(client, statements) : [];
  const settled = await settleRemaining<(typeof keys)[number], unknown>(keys, answers, (Key) =>
    client.deleteItem({ TableName: table, Key: { ...Key } }),
  );
  for (const answer of settled) if ('error' in answer) throw answer.error;
}
