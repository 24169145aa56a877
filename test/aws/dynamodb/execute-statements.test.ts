import { expect, it } from 'vitest';
import type { DynamoDb } from '../../../src/aws/client/dynamodb.ts';
import { executeStatements } from '../../../src/aws/dynamodb/execute-statements.ts';

const statement = { Statement: 'UPDATE …' };

it.each([
  ['no answers', {}, 0],
  ['fewer answers than statements', { Responses: [{}] }, 1],
  ['more answers than statements', { Responses: [{}, {}, {}] }, 3],
])('counts none of the statements as done where there are %s', async (_, answer, count) => {
  const client = { batchExecuteStatement: () => Promise.resolve(answer) };
  const settled = await executeStatements(client as unknown as DynamoDb, [statement, statement]);
  const error = new Error(`BatchExecuteStatement returned ${count} results for 2 entries`);
  expect(settled).toEqual([{ error }, { error }]);
});
