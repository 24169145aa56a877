import type { ModelAnswer, RebuildRequest, TransitionRequest } from '../model-runtime/protocol.ts';

/** What running a model's Lambda came to. */
export type Invocation =
  | { readonly kind: 'answered'; readonly answer: ModelAnswer }
  /** The function ran and failed, or is gone: fewer events may go better. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** Lambda does not take a request of this size. The function did not run. */
  | { readonly kind: 'too-large'; readonly reason: string }
  /** It could not be run now: throttled, or the service could not be reached. */
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Runs a model's Lambda. */
export interface ModelInvoker {
  transition(functionArn: string, request: TransitionRequest | RebuildRequest): Promise<Invocation>;
}
