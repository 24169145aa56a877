/** The result for one item of a batch request: its value or its error. */
export type SettledResult<Value> = { readonly value: Value } | { readonly error: unknown };

/** Runs the work and returns its value or its error. */
export async function settle<Value>(work: () => Promise<Value>): Promise<SettledResult<Value>> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}
