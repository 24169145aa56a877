import type { ModelAnswer, RebuildRequest, TransitionRequest } from '../model-runtime/protocol.ts';
import type { InvocationResult } from '../stores/invocation-result.ts';

/** The result of invoking a model's Lambda with events. If it failed, fewer events may succeed. */
export type TransitionInvocation =
  | InvocationResult<ModelAnswer>
  /** Lambda does not take a request of this size. The function did not run. */
  | { readonly kind: 'too-large'; readonly reason: string };

/** Runs a model's Lambda. */
export interface ModelInvoker {
  transition(
    functionArn: string,
    request: TransitionRequest | RebuildRequest,
  ): Promise<TransitionInvocation>;
}
