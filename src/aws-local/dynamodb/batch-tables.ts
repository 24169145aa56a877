import { validationError } from './dynamodb-error.ts';
import { tableNameOf } from './table-arn.ts';

/**
 * Executes a batch whose `RequestItems` may identify tables by their ARNs. The response identifies each table as the
 * request does.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
 */
export async function executeBatch(
  request: { readonly RequestItems?: unknown },
  execute: (request: object) => Promise<object | string>,
): Promise<object | string> {
  const tables = Object.entries(Object(request.RequestItems) as object);
  if (tables.every(([table]) => tableNameOf(table) === table)) return execute(request);
  const given = new Map<string, string>();
  for (const [table] of tables) {
    const name = tableNameOf(table);
    const other = given.get(name);
    if (other !== undefined)
      throw validationError(`RequestItems must contain each table once; got ${other} and ${table}`);
    given.set(name, table);
  }
  const RequestItems = Object.fromEntries(
    tables.map(([table, items]) => [tableNameOf(table), items as unknown]),
  );
  const result = await execute({ ...request, RequestItems });
  const response = typeof result === 'string' ? (JSON.parse(result) as object) : result;
  return Object.fromEntries(
    Object.entries(response).map(([member, byTable]) => [member, withGivenTables(byTable, given)]),
  );
}

/** Replaces the names of tables in a map, such as `Responses`. */
function withGivenTables(byTable: unknown, given: ReadonlyMap<string, string>): unknown {
  if (typeof byTable !== 'object' || byTable === null || Array.isArray(byTable)) return byTable;
  return Object.fromEntries(
    Object.entries(byTable).map(([name, items]) => [given.get(name) ?? name, items as unknown]),
  );
}
