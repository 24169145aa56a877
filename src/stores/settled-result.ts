/** One item's share of a request for many: its value, or what was thrown for it alone. */
export type SettledResult<Value> = { readonly value: Value } | { readonly error: unknown };
