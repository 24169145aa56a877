/** The result of invoking a model's Lambda. */
export type InvocationResult<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** The function ran and failed, or is gone. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** It could not be run now: throttled, or the service could not be reached. */
  | { readonly kind: 'unavailable'; readonly reason: string };
