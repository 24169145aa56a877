/** The result for one item of a batch request: its value or its error. */
export type SettledResult<Value> = { readonly value: Value } | { readonly error: unknown };
