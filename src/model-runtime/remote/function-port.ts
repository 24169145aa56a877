/** The response of a model's function, or the reason that there is none. */
export type FunctionResponse =
  | { readonly kind: 'answered'; readonly text: string }
  /** The function failed, returned a response that is too large, or does not exist. A smaller request may succeed. */
  | { readonly kind: 'failed'; readonly error: string; readonly message: string }
  /**
   * The function could not be invoked: for example, it was throttled, Lambda could not be reached, or access was
   * denied.
   */
  | { readonly kind: 'unavailable'; readonly reason: string };

/** A connection to the function of a model that is written in another language. */
export interface FunctionPort {
  /** Invokes the function with a request, which is JSON text. */
  invoke(question: string): Promise<FunctionResponse>;
}
