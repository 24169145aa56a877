/** A field of a state, as the API returns it. */
interface ExplainedField {
  readonly path: string;
  /** The change that set the field; null if a later page of the response contains it, for the path `pathBefore`. */
  readonly setBy: object | null;
  readonly pathBefore?: string | undefined;
}

/** Completes the unexplained fields of a page with the explanations on the next page. */
export function joinExplanations<Field extends ExplainedField>(
  fields: readonly Field[],
  next: readonly Field[],
): Field[] {
  const known = new Map(next.map((field) => [field.path, field]));
  return fields.flatMap((field) => {
    if (field.setBy !== null) return [field];
    // The next page omits a field only if the state does not contain the field and no earlier state contained it.
    const earlier = known.get(field.pathBefore ?? field.path);
    return earlier ? [{ ...field, setBy: earlier.setBy, pathBefore: earlier.pathBefore }] : [];
  });
}
