/** What asking a model's function what it is came to. */
export type Described =
  /** Its answer, unchecked. */
  | { readonly kind: 'answered'; readonly answer: unknown }
  /** It is gone, or failed. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** It could not be asked now. */
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Asks a model's function what it is. */
export interface ModelDescriber {
  describe(functionArn: string): Promise<Described>;
}
