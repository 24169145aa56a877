/** A field in the API's explanation of a state. */
interface ExplainedField {
  readonly path: string;
  /** The change that set the field; null if the change is on a later page, where the field's path is `pathBefore`. */
  readonly setBy: object | null;
  readonly pathBefore?: string | undefined;
}

/** Completes a page's unexplained fields with the explanations on the next page, which continues the search. */
export function joinExplanations<Field extends ExplainedField>(
  fields: readonly Field[],
  next: readonly Field[],
): Field[] {
  const known = new Map(next.map((field) => [field.path, field]));
  return fields.flatMap((field) => {
    if (field.setBy !== null) return [field];
    // The next page omits a field only if no state ever contained the field.
    const earlier = known.get(field.pathBefore ?? field.path);
    return earlier ? [{ ...field, setBy: earlier.setBy, pathBefore: earlier.pathBefore }] : [];
  });
}
