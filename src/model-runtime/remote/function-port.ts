/** The result of invoking a model's function. */
export type FunctionResponse =
  | { readonly kind: 'answered'; readonly text: string }
  /**
   * The function failed or does not exist, or the request was too large, in which case a smaller request may succeed.
   */
  | { readonly kind: 'failed'; readonly error: string; readonly message: string }
  /** The function could not be run now: it was throttled, or the service could not be reached. */
  | { readonly kind: 'unavailable'; readonly reason: string };

/** The function of a model that is written in another language. */
export interface FunctionPort {
  /** Invokes the function. `question` is the request as JSON. */
  invoke(question: string): Promise<FunctionResponse>;
}
