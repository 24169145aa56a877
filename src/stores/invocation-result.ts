/** The result of invoking a model's Lambda function. */
export type InvocationResult<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** The function ran and failed, or does not exist. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** The function could not be run now: it was throttled, or the service could not be reached. */
  | { readonly kind: 'unavailable'; readonly reason: string };
