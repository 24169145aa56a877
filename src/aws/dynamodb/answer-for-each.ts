/**
 * Returns the results of a batch request, one per entry. If a response omits results, the outcome of the omitted
 * entries is unknown, so they must not count as completed.
 *
 * @param operation the name of the API operation.
 * @param count the number of entries in the request.
 * @throws Error if the number of results differs from the number of entries.
 */
export function answerForEach<Answer>(
  operation: string,
  answers: readonly Answer[] | undefined,
  count: number,
): readonly Answer[] {
  if (answers?.length === count) return answers;
  throw new Error(`${operation} returned ${answers?.length ?? 0} results for ${count} entries`);
}
