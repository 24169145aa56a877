/**
 * The answers of a request for many, one for each of its entries. An answer that lacks some of them says
 * nothing about these, so they must not count as done.
 *
 * @param operation its name in the API of the service.
 * @param count how many entries the request had.
 * @throws Error when there is not one answer for each entry
 */
export function answerForEach<Answer>(
  operation: string,
  answers: readonly Answer[] | undefined,
  count: number,
): readonly Answer[] {
  if (answers?.length === count) return answers;
  throw new Error(`${operation} answered for ${answers?.length ?? 0} of ${count} entries`);
}
