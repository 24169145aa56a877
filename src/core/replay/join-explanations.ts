/** A field of a state, as the API returns it. */
interface ExplainedField {
  readonly path: string;
  /** Null if a later page of the answer has it, for the path `pathBefore`. */
  readonly setBy: object | null;
  readonly pathBefore?: string | undefined;
}

/** Completes fields that a page left unexplained with those of the next page. */
export function joinExplanations<Field extends ExplainedField>(
  fields: readonly Field[],
  next: readonly Field[],
): Field[] {
  const known = new Map(next.map((field) => [field.path, field]));
  return fields.flatMap((field) => {
    if (field.setBy !== null) return [field];
    // Only a removed field can be absent further back: it never existed.
    const earlier = known.get(field.pathBefore ?? field.path);
    return earlier ? [{ ...field, setBy: earlier.setBy, pathBefore: earlier.pathBefore }] : [];
  });
}
