/** A field of a state as an answer of the API has it. */
interface ExplainedField {
  readonly path: string;
  /** Null: what set it is in the next answer, where its path is `pathBefore`. */
  readonly setBy: object | null;
  readonly pathBefore?: string | undefined;
}

/** Fields with what the answer after it says of those that it left open. */
export function joinExplanations<Field extends ExplainedField>(
  fields: readonly Field[],
  next: readonly Field[],
): Field[] {
  const known = new Map(next.map((field) => [field.path, field]));
  return fields.flatMap((field) => {
    if (field.setBy !== null) return [field];
    // What is not there further back was never there: somebody asked what removed it.
    const earlier = known.get(field.pathBefore ?? field.path);
    return earlier ? [{ ...field, setBy: earlier.setBy, pathBefore: earlier.pathBefore }] : [];
  });
}
