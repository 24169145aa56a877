import type { Invocation } from '../../dispatcher/model-invoker.ts';
import type { ForgetAnswer, ForgetRequest } from '../../model-runtime/protocol.ts';

/** The result of asking a model's Lambda to forget; see `Invocation`. */
export type ForgetInvocation =
  | { readonly kind: 'answered'; readonly answer: ForgetAnswer }
  | Exclude<Invocation, { kind: 'answered' }>;

/** Has a model's Lambda take forgotten personal data out of a history. */
export interface HistoryForgetter {
  forget(functionArn: string, request: ForgetRequest): Promise<ForgetInvocation>;
}
