import { expect, it } from 'vitest';
import type { DynamoDb } from '../../../src/aws/client/dynamodb.ts';
import { executeStatements } from '../../../src/aws/dynamodb/execute-statements.ts';

const statement = { Statement: 'UPDATE …' };

it.each([
  ['no results', {}, 0],
  ['fewer results than statements', { Responses: [{}] }, 1],
  ['more results than statements', { Responses: [{}, {}, {}] }, 3],
])(
  'executeStatements returns an error for each statement if the response has %s',
  async (_, answer, count) => {
    const client = { batchExecuteStatement: () => Promise.resolve(answer) };
    const settled = await executeStatements(client as unknown as DynamoDb, [statement, statement]);
    const error = new Error(`BatchExecuteStatement returned ${count} results for 2 entries`);
    expect(settled).toEqual([{ error }, { error }]);
  },
);
