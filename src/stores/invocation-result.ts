/** The result of invoking a model's Lambda function. */
export type InvocationResult<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** The function failed, returned an invalid response, or does not exist, or the request was too large. */
  | { readonly kind: 'failed'; readonly reason: string }
  /**
   * The function was throttled, Lambda was unreachable, or AWS was too slow for the function to complete the request. A
   * retry can succeed.
   */
  | { readonly kind: 'unavailable'; readonly reason: string };
