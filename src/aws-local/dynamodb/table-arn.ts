const pattern = /^arn:aws[^:]*:dynamodb:[^:]*:\d{12}:table\/([a-zA-Z0-9_.-]+)$/;

/**
 * Returns the name in a table's ARN, or any other text unchanged. Accepts any region and account in the ARN because
 * the endpoint accepts any credentials.
 */
export const tableNameOf = (name: string): string => pattern.exec(name)?.[1] ?? name;

export const isTableArn = (text: string): boolean => pattern.test(text);

/** Replaces an ARN in `TableName` with the name of the table, which dynalite supports. */
export function nameTable<Request extends object>(request: Request): Request {
  const { TableName } = request as { TableName?: unknown };
  if (typeof TableName !== 'string' || !TableName.startsWith('arn:')) return request;
  return { ...request, TableName: tableNameOf(TableName) };
}

/** Replaces the ARNs of tables in the actions of a transaction, such as `{ Put: { TableName } }`. */
export function nameTables<Actions>(actions: Actions): Actions {
  if (!Array.isArray(actions)) return actions;
  return actions.map((action: unknown) =>
    Object.fromEntries(
      Object.entries(action ?? {}).map(([kind, request]) => [kind, request && nameTable(request)]),
    ),
  ) as Actions;
}
