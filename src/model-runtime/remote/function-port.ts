/** What asking a model's function came to. */
export type FunctionResponse =
  | { readonly kind: 'answered'; readonly text: string }
  /** It ran and failed, is gone, or was sent too much: a smaller question may go better. */
  | { readonly kind: 'failed'; readonly error: string; readonly message: string }
  /** It could not be run now: throttled, or the service could not be reached. */
  | { readonly kind: 'unavailable'; readonly reason: string };

/** The function behind a model that is written in another language. */
export interface FunctionPort {
  /** @param question JSON. */
  invoke(question: string): Promise<FunctionResponse>;
}
