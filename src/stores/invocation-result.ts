/** The result of invoking a model's Lambda function. */
export type InvocationResult<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** The function ran and failed, or does not exist. */
  | { readonly kind: 'failed'; readonly reason: string }
  /**
   * The function was throttled, Lambda was unreachable, or AWS was too slow for the function to complete the request. A
   * retry can succeed.
   */
  | { readonly kind: 'unavailable'; readonly reason: string };
